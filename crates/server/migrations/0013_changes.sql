-- By how much a game changed both ratings, so that it can be taken back without computing all of them again.
ALTER TABLE rated ADD COLUMN black_change REAL NOT NULL DEFAULT 0;
ALTER TABLE rated ADD COLUMN white_change REAL NOT NULL DEFAULT 0;
-- Of games that were rated before: from what it was after the game before, but for what was given back between.
UPDATE rated SET
    black_change = black_value - coalesce(
        (SELECT CASE WHEN earlier.black = rated.black THEN earlier.black_value ELSE earlier.white_value END FROM rated AS earlier
         WHERE (earlier.black = rated.black OR earlier.white = rated.black) AND earlier.class = rated.class AND earlier.num < rated.num
         ORDER BY earlier.num DESC LIMIT 1), 1500)
WHERE black NOT IN (SELECT person FROM bot WHERE anchor IS NOT NULL);
UPDATE rated SET
    white_change = white_value - coalesce(
        (SELECT CASE WHEN earlier.black = rated.white THEN earlier.black_value ELSE earlier.white_value END FROM rated AS earlier
         WHERE (earlier.black = rated.white OR earlier.white = rated.white) AND earlier.class = rated.class AND earlier.num < rated.num
         ORDER BY earlier.num DESC LIMIT 1), 1500)
WHERE white NOT IN (SELECT person FROM bot WHERE anchor IS NOT NULL);
-- Games that were deleted have left numbers that belong to no game, or by now to another one that was not rated.
UPDATE refund SET game = -(SELECT num FROM rated WHERE rated.game = refund.game) WHERE game NOT IN (SELECT num FROM game);
UPDATE rated SET game = -num WHERE game NOT IN (SELECT num FROM game);
