-- Version 8: what a candidate was tried on besides the problem's own inputs.

-- JSON, as in `kernelbench schema evaluation`; NULL: the policy did not ask.
ALTER TABLE evaluations ADD COLUMN outside TEXT;
-- The distribution of the trial's inputs; empty: the policy's.
ALTER TABLE rounds ADD COLUMN inputs TEXT NOT NULL DEFAULT '';
