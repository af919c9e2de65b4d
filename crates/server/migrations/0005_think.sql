-- White's agent may have another time for a move than Black's, which is in think_ms; games of before have one for both.
ALTER TABLE game ADD COLUMN white_think_ms INTEGER;
