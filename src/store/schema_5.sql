-- Version 5: what a run was asked for, so that what has no answer counts.

-- Samples 0 to `samples` - 1 of a problem. A call that asks for more adds a row;
-- the one with the most samples counts.
CREATE TABLE requests (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  model        TEXT NOT NULL,
  problem_id   TEXT NOT NULL,
  problem_hash TEXT NOT NULL,
  size         TEXT NOT NULL,
  precision    TEXT NOT NULL,
  samples      INTEGER NOT NULL,
  UNIQUE (model, problem_id, problem_hash, size, precision, samples)
);

-- How far the calls came that asked; the newest row counts.
CREATE TABLE progress (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  progress TEXT NOT NULL  -- 'running', 'done', 'budget' or 'stopped'
);
