-- Who began or imported a game: a number made of their address and the secret below, so that no address is kept. 0 if
-- nobody knows.
ALTER TABLE game ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
CREATE INDEX game_owner ON game (owner, created);

-- What only this database knows: random bytes by name.
CREATE TABLE secret (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;
INSERT INTO secret (name, value) VALUES ('owner', randomblob(32));
