-- Version 10: where the time goes.

-- JSON, as in `kernelbench schema evaluation`; NULL: nobody looked, or nothing
-- was to be had.
ALTER TABLE evaluations ADD COLUMN profile TEXT;
