-- Version 13: what a chain costs once in either side's process.

-- A reading without any call before the process loaded anything; 0: not read.
ALTER TABLE rounds ADD COLUMN reference_once_us REAL NOT NULL DEFAULT 0;
ALTER TABLE rounds ADD COLUMN candidate_once_us REAL NOT NULL DEFAULT 0;
