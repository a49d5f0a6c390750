-- Version 14: how much faster than eager a baseline is, with its interval.

-- JSON, as "speedup" in `kernelbench schema baselines`; NULL: eager itself, or
-- measured by an older program.
ALTER TABLE baselines ADD COLUMN speedup TEXT;
