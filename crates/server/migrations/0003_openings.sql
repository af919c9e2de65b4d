-- What was played in the first 12 plies of all games, counted as games come and go, so that the first positions, which
-- every game has, cost no walk through all games. Triggers keep it the same as a count over `place` and `game`.
CREATE TABLE opening (
    -- A position, as in `place`.
    hash  INTEGER NOT NULL,
    -- A move from it; 0 for any.
    move  INTEGER NOT NULL,
    -- Games that have it, each once; and what their results are.
    games INTEGER NOT NULL,
    black INTEGER NOT NULL,
    white INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    -- Games that have ended, and their lengths together.
    ended INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    PRIMARY KEY (hash, move)
) STRICT, WITHOUT ROWID;

CREATE INDEX place_early ON place (game) WHERE ply < 12;

-- What a game adds to each of its places.
CREATE VIEW counted AS
    SELECT num, 1 AS games, result IS 'black' AS black, result IS 'white' AS white, result IS 'draw' AS draws,
        result IS NOT NULL OR source = 'import' AS ended,
        iif(result IS NOT NULL OR source = 'import', plies, 0) AS plies
    FROM game;

INSERT INTO opening (hash, move, games, black, white, draws, ended, plies)
    SELECT hash, move, sum(games), sum(black), sum(white), sum(draws), sum(ended), sum(plies)
    FROM (SELECT DISTINCT hash, move, game FROM place WHERE ply < 12 AND move > 0
          UNION SELECT hash, 0, game FROM place WHERE ply < 12 AND move > 0)
    JOIN counted ON counted.num = game GROUP BY hash, move;

CREATE TRIGGER place_added AFTER INSERT ON place WHEN NEW.move > 0 AND NEW.ply < 12 BEGIN
    INSERT INTO opening
        SELECT NEW.hash, NEW.move, games, black, white, draws, ended, plies FROM counted WHERE num = NEW.game
            AND NOT EXISTS (SELECT 1 FROM place WHERE hash = NEW.hash AND game = NEW.game AND ply < 12
                AND ply <> NEW.ply AND move = NEW.move)
        ON CONFLICT (hash, move) DO UPDATE SET games = games + excluded.games, black = black + excluded.black,
            white = white + excluded.white, draws = draws + excluded.draws, ended = ended + excluded.ended,
            plies = plies + excluded.plies;
    INSERT INTO opening
        SELECT NEW.hash, 0, games, black, white, draws, ended, plies FROM counted WHERE num = NEW.game
            AND NOT EXISTS (SELECT 1 FROM place WHERE hash = NEW.hash AND game = NEW.game AND ply < 12
                AND ply <> NEW.ply AND move > 0)
        ON CONFLICT (hash, move) DO UPDATE SET games = games + excluded.games, black = black + excluded.black,
            white = white + excluded.white, draws = draws + excluded.draws, ended = ended + excluded.ended,
            plies = plies + excluded.plies;
END;

CREATE TRIGGER place_removed AFTER DELETE ON place WHEN OLD.move > 0 AND OLD.ply < 12 BEGIN
    UPDATE opening SET games = opening.games - c.games, black = opening.black - c.black,
            white = opening.white - c.white, draws = opening.draws - c.draws, ended = opening.ended - c.ended,
            plies = opening.plies - c.plies
        FROM counted AS c WHERE c.num = OLD.game AND opening.hash = OLD.hash
            AND (opening.move = OLD.move AND NOT EXISTS (SELECT 1 FROM place WHERE hash = OLD.hash
                    AND game = OLD.game AND ply < 12 AND move = OLD.move)
                OR opening.move = 0 AND NOT EXISTS (SELECT 1 FROM place WHERE hash = OLD.hash
                    AND game = OLD.game AND ply < 12 AND move > 0));
    DELETE FROM opening WHERE hash = OLD.hash AND games = 0;
END;

-- A place gets its move when it is played, and loses it when it is taken back.
CREATE TRIGGER place_moved AFTER UPDATE OF move ON place WHEN NEW.ply < 12 AND OLD.move <> NEW.move BEGIN
    UPDATE opening SET games = opening.games - c.games, black = opening.black - c.black,
            white = opening.white - c.white, draws = opening.draws - c.draws, ended = opening.ended - c.ended,
            plies = opening.plies - c.plies
        FROM counted AS c WHERE OLD.move > 0 AND c.num = OLD.game AND opening.hash = OLD.hash
            AND (opening.move = OLD.move AND NOT EXISTS (SELECT 1 FROM place WHERE hash = OLD.hash
                    AND game = OLD.game AND ply < 12 AND move = OLD.move)
                OR opening.move = 0 AND NOT EXISTS (SELECT 1 FROM place WHERE hash = OLD.hash
                    AND game = OLD.game AND ply < 12 AND move > 0));
    INSERT INTO opening
        SELECT NEW.hash, NEW.move, games, black, white, draws, ended, plies FROM counted WHERE num = NEW.game
            AND NEW.move > 0
            AND NOT EXISTS (SELECT 1 FROM place WHERE hash = NEW.hash AND game = NEW.game AND ply < 12
                AND ply <> NEW.ply AND move = NEW.move)
        ON CONFLICT (hash, move) DO UPDATE SET games = games + excluded.games, black = black + excluded.black,
            white = white + excluded.white, draws = draws + excluded.draws, ended = ended + excluded.ended,
            plies = plies + excluded.plies;
    INSERT INTO opening
        SELECT NEW.hash, 0, games, black, white, draws, ended, plies FROM counted WHERE num = NEW.game
            AND NEW.move > 0 AND OLD.move = 0
            AND NOT EXISTS (SELECT 1 FROM place WHERE hash = NEW.hash AND game = NEW.game AND ply < 12
                AND ply <> NEW.ply AND move > 0)
        ON CONFLICT (hash, move) DO UPDATE SET games = games + excluded.games, black = black + excluded.black,
            white = white + excluded.white, draws = draws + excluded.draws, ended = ended + excluded.ended,
            plies = plies + excluded.plies;
    DELETE FROM opening WHERE hash = OLD.hash AND games = 0;
END;

-- A result changes what the game's places count.
CREATE TRIGGER game_ended AFTER UPDATE OF result, plies ON game
    WHEN OLD.result IS NOT NEW.result OR OLD.plies <> NEW.plies AND (NEW.result IS NOT NULL OR NEW.source = 'import')
BEGIN
    UPDATE opening SET
            black = black + (NEW.result IS 'black') - (OLD.result IS 'black'),
            white = white + (NEW.result IS 'white') - (OLD.result IS 'white'),
            draws = draws + (NEW.result IS 'draw') - (OLD.result IS 'draw'),
            ended = ended + (NEW.result IS NOT NULL OR NEW.source = 'import')
                - (OLD.result IS NOT NULL OR OLD.source = 'import'),
            plies = plies + iif(NEW.result IS NOT NULL OR NEW.source = 'import', NEW.plies, 0)
                - iif(OLD.result IS NOT NULL OR OLD.source = 'import', OLD.plies, 0)
        WHERE (hash, move) IN (SELECT hash, move FROM place WHERE game = NEW.num AND ply < 12 AND move > 0
            UNION SELECT hash, 0 FROM place WHERE game = NEW.num AND ply < 12 AND move > 0);
END;

-- Written now and then to see whether the database can be.
CREATE TABLE probe (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;
