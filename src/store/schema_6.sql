-- Version 6: a sample may be a conversation of several turns.

-- Which turn wrote the candidate, from 1.
ALTER TABLE evaluations ADD COLUMN turn INTEGER NOT NULL DEFAULT 1;
-- 1: the best turn of a sample, judged once more after it was chosen.
ALTER TABLE evaluations ADD COLUMN confirms INTEGER NOT NULL DEFAULT 0;

-- `generations` with a row for each turn; SQLite cannot change a UNIQUE.
CREATE TABLE generations_6 (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  problem_id     TEXT NOT NULL,
  problem_hash   TEXT NOT NULL,
  sample         INTEGER NOT NULL,
  turn           INTEGER NOT NULL,    -- from 1
  model          TEXT NOT NULL,
  served_model   TEXT NOT NULL,
  prompt_hash    TEXT NOT NULL REFERENCES blobs (hash),
  answer_hash    TEXT NOT NULL REFERENCES blobs (hash),
  reasoning_hash TEXT NOT NULL REFERENCES blobs (hash),
  state_hash     TEXT NOT NULL REFERENCES blobs (hash),
  history        TEXT,                -- JSON; NULL: of turn 1
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
  UNIQUE (model, problem_id, problem_hash, sample, turn)
);
-- The empty text is the state of what was answered before.
INSERT OR IGNORE INTO blobs (hash, bytes) SELECT
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', x''
  WHERE EXISTS (SELECT 1 FROM generations);
INSERT INTO generations_6 SELECT id, problem_id, problem_hash, sample, 1, model,
  served_model, prompt_hash, answer_hash, reasoning_hash,
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', NULL,
  status, reason, candidate_name, source_hash, input_tokens, cached_tokens,
  output_tokens, reasoning_tokens, usd, seconds, attempts, started_at
  FROM generations;
DROP TABLE generations;
ALTER TABLE generations_6 RENAME TO generations;
CREATE INDEX generations_by_problem ON generations (problem_id, sample);
CREATE TRIGGER generations_are_final BEFORE UPDATE ON generations
BEGIN SELECT RAISE(ABORT, 'generations are only ever added'); END;
CREATE TRIGGER generations_stay BEFORE DELETE ON generations
BEGIN SELECT RAISE(ABORT, 'generations are only ever added'); END;
