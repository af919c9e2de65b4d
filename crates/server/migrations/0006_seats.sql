-- A game between two persons has a key for each seat instead of the one in `key`: SHA-256 of it, none while the seat is
-- free. Games of before have neither and keep their one key.
ALTER TABLE game ADD COLUMN black_key BLOB;
ALTER TABLE game ADD COLUMN white_key BLOB;
-- Who offers to take moves back, and how many; who offers another game.
ALTER TABLE game ADD COLUMN undo_by TEXT;
ALTER TABLE game ADD COLUMN undo_plies INTEGER;
ALTER TABLE game ADD COLUMN rematch_by TEXT;

-- Games that wait for a second person: no list shows them, and who begins too many is told.
CREATE INDEX game_waiting ON game (owner, created) WHERE (black_key IS NULL) <> (white_key IS NULL);
