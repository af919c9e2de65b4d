-- Lists go by when games were made: an imported one has a date of its own.
CREATE INDEX game_created ON game (created, num);
