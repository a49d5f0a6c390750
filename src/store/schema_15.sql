-- Version 15: where what was asked for was to be judged.

-- As in evaluations; empty: nowhere, or by an older program. The same samples
-- may have been asked for on several devices, once stores are merged.
CREATE TABLE requests_on_devices (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  model        TEXT NOT NULL,
  problem_id   TEXT NOT NULL,
  problem_hash TEXT NOT NULL,
  size         TEXT NOT NULL,
  precision    TEXT NOT NULL,
  samples      INTEGER NOT NULL,
  device_name  TEXT NOT NULL DEFAULT '',
  UNIQUE (model, problem_id, problem_hash, size, precision, samples, device_name)
);
INSERT INTO requests_on_devices
  SELECT id, model, problem_id, problem_hash, size, precision, samples, ''
  FROM requests;
DROP TABLE requests;
ALTER TABLE requests_on_devices RENAME TO requests;
