-- Tries that somebody requested, besides those of the schedule. extras: how many of `attempts` those are. is_extra: 1 while one
-- waits or is made; due_at is its time then, and planned_at is when the schedule continues, NULL if it has ended.
ALTER TABLE delivery ADD COLUMN extras BIGINT NOT NULL DEFAULT 0;
ALTER TABLE delivery ADD COLUMN is_extra BIGINT NOT NULL DEFAULT 0;
ALTER TABLE delivery ADD COLUMN planned_at BIGINT;

-- Something that happened to the job between attempts: cancelled, dead or retried. NULL: a report of a worker.
ALTER TABLE job_progress ADD COLUMN note TEXT;
UPDATE job_progress SET note = 'retried' WHERE percent IS NULL AND message IS NULL;
