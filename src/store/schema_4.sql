-- Version 4: an evaluation is measured in several processes of each side where
-- calls are short.

-- Which of them a round was read in, from 0.
ALTER TABLE rounds ADD COLUMN process INTEGER NOT NULL DEFAULT 0;
