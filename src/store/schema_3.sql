-- Version 3: reference and candidate are measured by one ruler
-- (docs/timing.md).

-- JSON of record::Ruler; NULL: nothing was timed, or by the first ruler, which
-- left timed rows in `trials`.
ALTER TABLE evaluations ADD COLUMN ruler TEXT;
ALTER TABLE evaluations ADD COLUMN wall_speedup REAL;  -- NULL: none
ALTER TABLE evaluations ADD COLUMN wall_speedup_low REAL;
ALTER TABLE evaluations ADD COLUMN wall_speedup_high REAL;

-- Every trial since, also those that do not count; a timed one is a round of
-- the ruler. `trials` and `calibrations` hold those of the first ruler, and
-- nothing is added to them any more.
CREATE TABLE rounds (
  evaluation         INTEGER NOT NULL REFERENCES evaluations (id),
  position           INTEGER NOT NULL,
  seed               INTEGER NOT NULL,  -- 64 bits, read as unsigned
  timed              INTEGER NOT NULL,
  counts             INTEGER NOT NULL,
  reference_us       REAL,
  candidate_us       REAL,
  reference_one_us   REAL,
  reference_chain_us REAL,
  candidate_one_us   REAL,
  candidate_chain_us REAL,
  reference_wall_us  REAL,
  candidate_wall_us  REAL,
  constant_us        REAL,
  clock_mhz          REAL,
  temperature_c      REAL,
  PRIMARY KEY (evaluation, position)
) WITHOUT ROWID;

CREATE TRIGGER rounds_are_final BEFORE UPDATE ON rounds
BEGIN SELECT RAISE(ABORT, 'rounds are only ever added'); END;
CREATE TRIGGER rounds_stay BEFORE DELETE ON rounds
BEGIN SELECT RAISE(ABORT, 'rounds are only ever added'); END;

-- `times` with two more sides; SQLite cannot change a CHECK.
CREATE TABLE times_3 (
  evaluation INTEGER NOT NULL REFERENCES evaluations (id),
  side       TEXT NOT NULL CHECK (side IN (
    'reference', 'candidate', 'reference_wall', 'candidate_wall')),
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
INSERT INTO times_3 SELECT evaluation, side, count, median, mean, stddev, min,
  max, q25, q75 FROM times;
DROP TABLE times;
ALTER TABLE times_3 RENAME TO times;

-- The version of the ruler that measured it.
ALTER TABLE baselines ADD COLUMN ruler INTEGER NOT NULL DEFAULT 1;
