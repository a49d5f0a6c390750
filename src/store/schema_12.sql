-- Version 12: candidates that were judged at several sizes of their problem.

-- JSON, as "sizes" in `kernelbench schema evaluation`; NULL: at one size.
ALTER TABLE evaluations ADD COLUMN sizes TEXT;
