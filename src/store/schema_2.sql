-- Version 2: who wrote a candidate, what was asked and answered, and what
-- speedups can be over.

ALTER TABLE evaluations ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluations ADD COLUMN sample INTEGER NOT NULL DEFAULT -1;

-- One row per question to a model that was answered for good. Questions that
-- may be asked again leave none.
CREATE TABLE generations (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  problem_id     TEXT NOT NULL,
  problem_hash   TEXT NOT NULL,
  sample         INTEGER NOT NULL,
  model          TEXT NOT NULL,
  served_model   TEXT NOT NULL,
  prompt_hash    TEXT NOT NULL REFERENCES blobs (hash),
  answer_hash    TEXT NOT NULL REFERENCES blobs (hash),
  reasoning_hash TEXT NOT NULL REFERENCES blobs (hash),
  status         TEXT NOT NULL,
  reason         TEXT NOT NULL,
  candidate_name TEXT NOT NULL,
  source_hash    TEXT NOT NULL REFERENCES blobs (hash),
  input_tokens     INTEGER NOT NULL,
  cached_tokens    INTEGER NOT NULL,  -- of the input
  output_tokens    INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,  -- of the output
  usd            REAL,                -- NULL: not known
  seconds        REAL,
  attempts       INTEGER NOT NULL,
  started_at     TEXT NOT NULL,       -- UTC, ISO 8601
  UNIQUE (model, problem_id, problem_hash, sample)
);

CREATE INDEX generations_by_problem ON generations (problem_id, sample);

-- Times of references by mode. The newest of a key counts.
CREATE TABLE baselines (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  problem_id      TEXT NOT NULL,
  problem_hash    TEXT NOT NULL,
  size            TEXT NOT NULL,
  precision       TEXT NOT NULL,
  device          TEXT NOT NULL,
  device_name     TEXT NOT NULL,
  driver          TEXT NOT NULL,
  torch           TEXT NOT NULL,
  arch            TEXT NOT NULL,
  tf32            TEXT NOT NULL,
  mode            TEXT NOT NULL,  -- "eager", "compile", ...
  time            TEXT,           -- JSON of a summary in us; NULL: none
  eager           TEXT,           -- the same of eager on the same inputs
  reason          TEXT NOT NULL,
  compile_seconds REAL,
  measured_at     TEXT NOT NULL
);

-- What a run was asked to do, by name: going on with other values is refused.
CREATE TABLE manifest (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TRIGGER generations_are_final BEFORE UPDATE ON generations
BEGIN SELECT RAISE(ABORT, 'generations are only ever added'); END;
CREATE TRIGGER generations_stay BEFORE DELETE ON generations
BEGIN SELECT RAISE(ABORT, 'generations are only ever added'); END;
