-- Version 9: what a search decided.

-- In order. A row has an ask, which was put as that turn of the sample, or what
-- the strategy was told of one.
CREATE TABLE decisions (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  model        TEXT NOT NULL,
  problem_id   TEXT NOT NULL,
  problem_hash TEXT NOT NULL,
  sample       INTEGER NOT NULL,
  ask          TEXT,  -- JSON; NULL: it was told
  told         TEXT   -- JSON; NULL: it was asked
);
CREATE TRIGGER decisions_are_final BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are only ever added'); END;
CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are only ever added'); END;
