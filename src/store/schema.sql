-- Version 1 of a kernelbench store: one file per run, written only by adding
-- rows. Step 1 of kSteps in migrations.cc; released text is never edited, a
-- change is a new step.
--
-- Times are microseconds unless the name says seconds. A NULL number is NaN.

-- Sources, logs and policies by content: most candidates of a run share them.
CREATE TABLE blobs (
  hash  TEXT NOT NULL PRIMARY KEY,  -- SHA-256 of bytes, lower-case hexadecimal
  bytes BLOB NOT NULL
);

-- One row per judged candidate. The same key may occur again: a second
-- evaluation is a second row, never an update.
CREATE TABLE evaluations (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  problem_id       TEXT NOT NULL,
  problem_hash     TEXT NOT NULL,
  candidate_name   TEXT NOT NULL,
  candidate_path   TEXT NOT NULL,
  candidate_hash   TEXT NOT NULL,
  track            TEXT NOT NULL,
  backend          TEXT NOT NULL,
  builds_extension INTEGER NOT NULL,
  source_hash      TEXT NOT NULL REFERENCES blobs (hash),
  size             TEXT NOT NULL,
  precision        TEXT NOT NULL,
  policy           TEXT NOT NULL,   -- its name
  policy_hash      TEXT NOT NULL REFERENCES blobs (hash),  -- all of it, as JSON
  device           TEXT NOT NULL,   -- "cuda:0", "cpu"
  device_name      TEXT NOT NULL,
  driver           TEXT NOT NULL,
  torch            TEXT NOT NULL,
  arch             TEXT NOT NULL,
  isolation        TEXT NOT NULL,
  version          TEXT NOT NULL,   -- of kernelbench
  verdict          TEXT,            -- NULL: it cannot run on this device
  reason           TEXT NOT NULL,
  log_hash         TEXT NOT NULL REFERENCES blobs (hash),
  interpreted      INTEGER NOT NULL,
  atol             REAL,
  rtol             REAL,
  speedup          REAL,            -- NULL: none (not correct, not certified)
  speedup_low      REAL,
  speedup_high     REAL,
  mismatch         TEXT,            -- JSON; NULL: none
  compile_seconds  REAL,
  compile_cached   INTEGER NOT NULL,
  wall_seconds     REAL,
  started_at       TEXT NOT NULL    -- UTC, ISO 8601
);

CREATE INDEX evaluations_by_key ON evaluations (
  problem_hash, candidate_hash, device_name, policy_hash, version);

-- Every trial as it was measured, also those that do not count.
CREATE TABLE trials (
  evaluation   INTEGER NOT NULL REFERENCES evaluations (id),
  position     INTEGER NOT NULL,
  seed         INTEGER NOT NULL,  -- 64 bits, read as unsigned
  timed        INTEGER NOT NULL,
  reference_us REAL,
  claimed_us   REAL,
  copy_us      REAL,
  certified_us REAL,
  stage_us     REAL,
  settle_us    REAL,
  overhead_us  REAL,
  in_band      INTEGER NOT NULL,
  PRIMARY KEY (evaluation, position)
) WITHOUT ROWID;

-- Summaries over the trials that count.
CREATE TABLE times (
  evaluation INTEGER NOT NULL REFERENCES evaluations (id),
  side       TEXT NOT NULL CHECK (side IN ('reference', 'candidate')),
  count      INTEGER NOT NULL,
  median     REAL,
  mean       REAL,
  stddev     REAL,
  min        REAL,
  max        REAL,
  q25        REAL,
  q75        REAL,
  PRIMARY KEY (evaluation, side)
) WITHOUT ROWID;

-- The band that decides which trials count; no row: none was measured.
CREATE TABLE calibrations (
  evaluation     INTEGER NOT NULL PRIMARY KEY REFERENCES evaluations (id),
  constant_us      REAL,
  long_constant_us REAL,
  long_call_us     REAL,
  copy_high_us     REAL,
  low_us           REAL,
  high_us          REAL,
  stage_high_us    REAL,
  settle_high_us   REAL,
  samples          INTEGER NOT NULL
);

-- The lists of sentences of an evaluation.
CREATE TABLE remarks (
  evaluation INTEGER NOT NULL REFERENCES evaluations (id),
  kind       TEXT NOT NULL CHECK (kind IN ('note', 'checked', 'unchecked')),
  position   INTEGER NOT NULL,
  text       TEXT NOT NULL,
  PRIMARY KEY (evaluation, kind, position)
) WITHOUT ROWID;

CREATE TRIGGER evaluations_are_final BEFORE UPDATE ON evaluations
BEGIN SELECT RAISE(ABORT, 'evaluations are only ever added'); END;
CREATE TRIGGER evaluations_stay BEFORE DELETE ON evaluations
BEGIN SELECT RAISE(ABORT, 'evaluations are only ever added'); END;
CREATE TRIGGER trials_are_final BEFORE UPDATE ON trials
BEGIN SELECT RAISE(ABORT, 'trials are only ever added'); END;
CREATE TRIGGER trials_stay BEFORE DELETE ON trials
BEGIN SELECT RAISE(ABORT, 'trials are only ever added'); END;
