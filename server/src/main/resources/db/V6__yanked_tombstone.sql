-- Since when a version was yanked when it was deleted, so that it is known what could be chosen at a moment before.
ALTER TABLE tombstone ADD COLUMN yanked_at BIGINT;
