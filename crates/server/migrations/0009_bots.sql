-- Accounts of programs: whose they are (the house's own are nobody's), what they accept (JSON), and of those whose strength was
-- measured the name in the table of anchors.
CREATE TABLE bot (
    person  INTEGER PRIMARY KEY,
    owner   INTEGER,
    accepts TEXT NOT NULL,
    anchor  TEXT UNIQUE
) STRICT;
CREATE INDEX bot_owner ON bot (owner) WHERE owner IS NOT NULL;

-- What opens the account of a program: SHA-256 of the token, which is told once. `scopes` are words with spaces between them.
CREATE TABLE token (
    hash    BLOB PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    person  INTEGER NOT NULL,
    note    TEXT NOT NULL,
    scopes  TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    seen    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX token_person ON token (person, created);

-- Challenges. One that is accepted is gone: the game has its id. The others are kept for a day, so that whoever was away hears of them.
CREATE TABLE challenge (
    num        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    challenger INTEGER NOT NULL,
    dest       INTEGER NOT NULL,
    layout     TEXT NOT NULL,
    clock      TEXT NOT NULL,
    rated      INTEGER NOT NULL,
    color      TEXT,
    created    INTEGER NOT NULL,
    -- `open`, `canceled`, or the reason for which it was declined, and since when.
    state      TEXT NOT NULL,
    changed    INTEGER NOT NULL
) STRICT;
CREATE INDEX challenge_challenger ON challenge (challenger, created);
CREATE INDEX challenge_dest ON challenge (dest, created);

-- The games that somebody plays now.
CREATE INDEX game_black_running ON game (black_person) WHERE result IS NULL AND black_person IS NOT NULL;
CREATE INDEX game_white_running ON game (white_person) WHERE result IS NULL AND white_person IS NOT NULL;

-- Which version of the table of anchors a game was rated by.
ALTER TABLE rated ADD COLUMN anchors INTEGER NOT NULL DEFAULT 1;
