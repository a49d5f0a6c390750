-- Version 11: which programs a question contained.

-- JSON: a list of {"hash", "run", "problem", "sample", "turn"}; NULL: not known.
ALTER TABLE generations ADD COLUMN shown TEXT;
