-- What lists say of latest_version. read_extent: how much of it was read for its findings: whole, part, or none yet. stalks: its files for a
-- drawing, two letters each. Nodes make up for what is missing, since facts_of is empty now.
ALTER TABLE hub_entry ADD COLUMN read_extent TEXT ${bytewise} NOT NULL DEFAULT 'none';
ALTER TABLE hub_entry ADD COLUMN stalks TEXT ${bytewise} NOT NULL DEFAULT '';
UPDATE hub_entry SET facts_of = NULL, read_extent = coalesce((
    SELECT CASE WHEN v.findings IS NULL THEN 'none' WHEN v.read_whole = 1 THEN 'whole' ELSE 'part' END
    FROM version v WHERE v.bundle_id = hub_entry.bundle_id AND v.version = hub_entry.latest_version), 'none');

-- The description of a node; NULL from an older program.
ALTER TABLE node ADD COLUMN name TEXT;
ALTER TABLE node ADD COLUMN program TEXT;
ALTER TABLE node ADD COLUMN started_at BIGINT;
ALTER TABLE node ADD COLUMN requests BIGINT;
ALTER TABLE node ADD COLUMN cpu_percent INTEGER;
ALTER TABLE node ADD COLUMN heap_used BIGINT;
ALTER TABLE node ADD COLUMN heap_max BIGINT;
