-- What a reader should look at before using a version. risk_rules: the date of the passport's rules by which it was read; empty: not
-- read yet, or published by an older program; nodes make up for it. findings: their number, worst_finding: the severity of the worst,
-- finding_kinds: their rules and codes, one a line; NULL: the files could not be read. read_whole: whether all of it was read.
ALTER TABLE version ADD COLUMN risk_rules TEXT ${bytewise} NOT NULL DEFAULT '';
ALTER TABLE version ADD COLUMN findings INTEGER;
ALTER TABLE version ADD COLUMN worst_finding TEXT;
ALTER TABLE version ADD COLUMN finding_kinds TEXT;
ALTER TABLE version ADD COLUMN read_whole INTEGER NOT NULL DEFAULT 0;
-- The versions that are to be read: those without rules first, the newest first.
CREATE INDEX version_by_rules ON version (risk_rules, id DESC);
CREATE INDEX version_of_high_risk ON version (bundle_id) WHERE worst_finding = 'high';

-- Of latest_version; NULL: there is no finding. findings and finding_codes now count the passport's, too.
ALTER TABLE hub_entry ADD COLUMN worst_finding TEXT;
