-- A recall of a version: nobody gets its content any more, except admins of its organization. All versions of a bundle that have the
-- same manifest are recalled together. recall_severity: low | medium | high | critical. recall_yanked: 1 if the version was not yanked
-- before, so that the end of the recall ends the yank too.
ALTER TABLE version ADD COLUMN recalled_at BIGINT;
ALTER TABLE version ADD COLUMN recalled_by TEXT;
ALTER TABLE version ADD COLUMN recall_severity TEXT;
ALTER TABLE version ADD COLUMN recall_reason TEXT;
ALTER TABLE version ADD COLUMN recall_advisory TEXT;
ALTER TABLE version ADD COLUMN recall_replacement TEXT;
ALTER TABLE version ADD COLUMN recall_yanked INTEGER NOT NULL DEFAULT 0;
CREATE INDEX version_recalled ON version (recalled_at, id) WHERE recalled_at IS NOT NULL;

-- recalled_by_id: the manifest of the recalled version, which is this one, an index that lists it, or what an archive of it refers to.
ALTER TABLE manifest ADD COLUMN recalled_by_id BIGINT;
CREATE INDEX manifest_recalled ON manifest (repository_id, recalled_by_id) WHERE recalled_by_id IS NOT NULL;
