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

-- Whether a game is rated. It is when it is over, once, in the transaction that ends it.
ALTER TABLE game ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;

-- Ratings as they are now. They follow from the events below.
CREATE TABLE rating (
    person     INTEGER NOT NULL,
    class      TEXT NOT NULL,
    value      REAL NOT NULL,
    deviation  REAL NOT NULL,
    volatility REAL NOT NULL,
    games      INTEGER NOT NULL,
    updated    INTEGER NOT NULL,
    PRIMARY KEY (person, class)
) STRICT, WITHOUT ROWID;

-- What has happened to ratings, in this order: games that ended. `advantages` is the version of the table that says what
-- Black is worth. What a rating became is kept for its curve; all of it can be computed again.
CREATE TABLE rated (
    num         INTEGER PRIMARY KEY,
    game        INTEGER NOT NULL UNIQUE,
    at          INTEGER NOT NULL,
    class       TEXT NOT NULL,
    layout      TEXT,
    advantages  INTEGER NOT NULL,
    black       INTEGER NOT NULL,
    white       INTEGER NOT NULL,
    points      REAL NOT NULL,
    black_value REAL NOT NULL,
    white_value REAL NOT NULL
) STRICT;
CREATE INDEX rated_black ON rated (black, class, num);
CREATE INDEX rated_white ON rated (white, class, num);
