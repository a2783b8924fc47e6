-- Whether the passport of a version has something that runs; NULL: not known. Versions that were read before get it when they are read
-- again, since the text in risk_rules is a later one now.
ALTER TABLE version ADD COLUMN runs INTEGER;

-- What else lists are filtered by: bundles whose latest version was read and has no finding, and those that a workflow published.
INSERT INTO hub_facet (facet, repository_id)
    SELECT 'flag:clean', repository_id FROM hub_entry WHERE listed = 1 AND read_extent = 'whole' AND findings = 0;
INSERT INTO hub_facet (facet, repository_id)
    SELECT 'flag:workflow', e.repository_id
    FROM hub_entry e JOIN version v ON v.bundle_id = e.bundle_id AND v.version = e.latest_version
    WHERE e.listed = 1 AND v.published_by LIKE 'publisher:%';
