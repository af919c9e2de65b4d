-- What people say to each other in a game: those who play in a room of their own, those who look on in another.
CREATE TABLE chat (
    num    INTEGER PRIMARY KEY,
    game   INTEGER NOT NULL REFERENCES game (num) ON DELETE CASCADE,
    -- `players` or `spectators`.
    room   TEXT NOT NULL,
    at     INTEGER NOT NULL,
    -- The seat of a player.
    side   TEXT,
    -- Whoever has an account, by its number and its name at that time; the name goes with the account.
    person INTEGER,
    name   TEXT NOT NULL,
    text   TEXT NOT NULL
) STRICT;
CREATE INDEX chat_game ON chat (game, num);
CREATE INDEX chat_person ON chat (person) WHERE person IS NOT NULL;

-- When the time of the side to move is up, in a game in which a move may take days: such a clock goes on while no server runs.
ALTER TABLE game ADD COLUMN due INTEGER;
CREATE INDEX game_due ON game (due) WHERE due IS NOT NULL;

-- What each side will answer to moves of the other, in JSON: lines that begin with the other's move.
ALTER TABLE game ADD COLUMN black_plan TEXT;
ALTER TABLE game ADD COLUMN white_plan TEXT;

-- Searches for games in which a move may take days: they wait while whoever searches is gone.
CREATE TABLE seek (
    id      TEXT PRIMARY KEY,
    person  INTEGER NOT NULL,
    created INTEGER NOT NULL,
    layout  TEXT NOT NULL,
    clock   TEXT NOT NULL,
    rated   INTEGER NOT NULL,
    color   TEXT,
    least   INTEGER NOT NULL,
    most    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX seek_person ON seek (person);
