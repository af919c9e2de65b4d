-- What a review rests on: network, model of chances, bounds of judgements. One with another basis, or of a time when it was
-- not kept, does not count, and is made anew when it is asked for.
ALTER TABLE review ADD COLUMN basis TEXT NOT NULL DEFAULT '';
