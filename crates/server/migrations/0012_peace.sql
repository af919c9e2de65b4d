-- Who does not want to meet whom.
CREATE TABLE block (
    person INTEGER NOT NULL,
    other  INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (person, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX block_other ON block (other);

-- Until when somebody may not say anything.
CREATE TABLE mute (
    person INTEGER PRIMARY KEY,
    until  INTEGER NOT NULL
) STRICT;

-- What people tell the moderators about each other, and what came of it.
CREATE TABLE report (
    num     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    at      INTEGER NOT NULL,
    person  INTEGER NOT NULL,
    about   INTEGER NOT NULL,
    -- The id of a game, if it is about one.
    game    TEXT,
    reason  TEXT NOT NULL,
    text    TEXT NOT NULL,
    done    INTEGER,
    done_by INTEGER
) STRICT;
CREATE INDEX report_open ON report (num) WHERE done IS NULL;
CREATE INDEX report_about ON report (about, num);

-- What moderators and administrators have done. Nobody is the one at the machine.
CREATE TABLE audit (
    num    INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    person INTEGER,
    action TEXT NOT NULL,
    about  INTEGER,
    -- A game's id, or what else belongs to it.
    detail TEXT NOT NULL
) STRICT;

-- What a rating was changed by besides a game: what a game took or gave is taken back. It comes after the rated game `after`, in the order of
-- `num`.
CREATE TABLE refund (
    num    INTEGER PRIMARY KEY,
    after  INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    game   INTEGER NOT NULL,
    person INTEGER NOT NULL,
    class  TEXT NOT NULL,
    points REAL NOT NULL,
    UNIQUE (game, person)
) STRICT;
