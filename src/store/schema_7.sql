-- Version 7: whose code ran.

-- JSON, as in `kernelbench schema evaluation`; NULL: nobody looked, or nothing
-- was to be had.
ALTER TABLE evaluations ADD COLUMN provenance TEXT;
