-- Tournaments. `system` is round-robin, swiss or arena, `number` its cycles, rounds or minutes; no layout is another one for each round. `version`
-- grows with every change, the results of games included: what was decided for one version is written only to that one.
CREATE TABLE tournament (
    num     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    name    TEXT NOT NULL,
    by      INTEGER NOT NULL,
    system  TEXT NOT NULL,
    number  INTEGER NOT NULL,
    layout  TEXT,
    clock   TEXT NOT NULL,
    rated   INTEGER NOT NULL,
    welcome TEXT NOT NULL,
    late    INTEGER NOT NULL,
    stage   TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 0,
    seed    INTEGER NOT NULL,
    created INTEGER NOT NULL,
    starts  INTEGER NOT NULL,
    began   INTEGER,
    paused  INTEGER,
    ends    INTEGER
) STRICT;
CREATE INDEX tournament_stage ON tournament (stage, starts);

-- Who takes part, numbered from 0. `head_start` is in half points; `bye` is the round, from 0, for which half a point without a game was asked.
CREATE TABLE tournament_player (
    tournament INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    person     INTEGER NOT NULL,
    rating     INTEGER NOT NULL,
    head_start INTEGER NOT NULL,
    since      INTEGER NOT NULL,
    here       INTEGER NOT NULL,
    bye        INTEGER,
    PRIMARY KEY (tournament, number),
    UNIQUE (tournament, person)
) STRICT, WITHOUT ROWID;

-- Who met whom. The game's id follows from tournament, round and board; there is none where nobody was there to play.
CREATE TABLE tournament_board (
    tournament INTEGER NOT NULL,
    round      INTEGER NOT NULL,
    board      INTEGER NOT NULL,
    black      INTEGER NOT NULL,
    white      INTEGER NOT NULL,
    layout     TEXT NOT NULL,
    game       TEXT UNIQUE,
    result     TEXT,
    paired     INTEGER NOT NULL,
    ended      INTEGER,
    PRIMARY KEY (tournament, round, board)
) STRICT, WITHOUT ROWID;

-- Who had no opponent in a round.
CREATE TABLE tournament_rest (
    tournament INTEGER NOT NULL,
    round      INTEGER NOT NULL,
    player     INTEGER NOT NULL,
    rest       TEXT NOT NULL,
    PRIMARY KEY (tournament, round, player)
) STRICT, WITHOUT ROWID;

-- The id of the tournament that a game belongs to.
ALTER TABLE game ADD COLUMN tournament TEXT;
