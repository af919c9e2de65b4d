-- Whose the seats of a game are, if they have an account: its number.
ALTER TABLE game ADD COLUMN black_person INTEGER;
ALTER TABLE game ADD COLUMN white_person INTEGER;
CREATE INDEX game_black_person ON game (black_person, created) WHERE black_person IS NOT NULL;
CREATE INDEX game_white_person ON game (white_person, created) WHERE white_person IS NOT NULL;

-- Persons with an account. A name is unique without regard to the case; a closed account has none.
CREATE TABLE person (
    num      INTEGER PRIMARY KEY,
    name     TEXT COLLATE NOCASE UNIQUE,
    role     TEXT NOT NULL,
    -- Argon2id, as a text that names its parameters; none if nobody can log in with one.
    password TEXT,
    created  INTEGER NOT NULL,
    closed   INTEGER
) STRICT;

-- Where somebody is logged in: SHA-256 of the token, which only the browser has. `owner` is the number of the address, as
-- in games; `device` names browser and system.
CREATE TABLE session (
    hash    BLOB PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    person  INTEGER NOT NULL,
    created INTEGER NOT NULL,
    seen    INTEGER NOT NULL,
    owner   INTEGER NOT NULL,
    device  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_person ON session (person, seen);

-- Codes that open an account once when its password is lost: SHA-256 of each.
CREATE TABLE recovery (
    person INTEGER NOT NULL,
    hash   BLOB NOT NULL,
    PRIMARY KEY (person, hash)
) STRICT, WITHOUT ROWID;
