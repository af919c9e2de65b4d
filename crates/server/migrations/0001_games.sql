-- Games: one row each, with the moves so far as two bytes a move.
CREATE TABLE game (
    num         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    -- SHA-256 of the key that gives the right to play; none for imported games.
    key         BLOB,
    -- SHA-256 of an imported record, so that none is stored twice.
    digest      BLOB UNIQUE,
    source      TEXT NOT NULL,
    layout      TEXT,
    start       TEXT NOT NULL,
    rules       TEXT NOT NULL,
    black       TEXT NOT NULL,
    black_agent TEXT,
    black_level INTEGER,
    white       TEXT NOT NULL,
    white_agent TEXT,
    white_level INTEGER,
    clock       TEXT,
    created     INTEGER NOT NULL,
    tags        TEXT NOT NULL,
    -- The annotated record of an imported game, if it has comments, glyphs or variations.
    record      TEXT,
    -- From here on what changes as a game goes on.
    updated     INTEGER NOT NULL,
    moves       BLOB NOT NULL,
    plies       INTEGER NOT NULL,
    fen         TEXT NOT NULL,
    result      TEXT,
    reason      TEXT,
    offer       TEXT,
    black_ms    INTEGER,
    white_ms    INTEGER,
    paused      INTEGER NOT NULL,
    delay_ms    INTEGER NOT NULL,
    think_ms    INTEGER NOT NULL,
    next        TEXT
) STRICT;

CREATE INDEX game_updated ON game (updated, num);
CREATE INDEX game_plies ON game (plies, num);

-- What is known about the moves of games that were played here.
CREATE TABLE ply (
    game  INTEGER NOT NULL REFERENCES game (num) ON DELETE CASCADE,
    ply   INTEGER NOT NULL,
    ms    INTEGER,
    score TEXT,
    depth INTEGER,
    nodes INTEGER,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;

-- Every position of every game, by the hash of its canonical form: the least of the twelve symmetric ones. The move is
-- that which was played from it, turned likewise; 0 in the last position.
CREATE TABLE place (
    hash INTEGER NOT NULL,
    game INTEGER NOT NULL REFERENCES game (num) ON DELETE CASCADE,
    ply  INTEGER NOT NULL,
    move INTEGER NOT NULL,
    PRIMARY KEY (hash, game, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE review (
    game    INTEGER PRIMARY KEY REFERENCES game (num) ON DELETE CASCADE,
    nodes   INTEGER,
    time_ms INTEGER,
    plies   INTEGER NOT NULL,
    created INTEGER NOT NULL,
    report  TEXT NOT NULL
) STRICT;
