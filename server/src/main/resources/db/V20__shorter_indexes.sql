-- A time takes 8 bytes and an id 37. Ids begin with the time of their rows, so both sort alike, except for the rows of one
-- millisecond, which queries sort.
DROP INDEX audit_by_organization;
CREATE INDEX audit_by_organization ON audit (organization_id, created_at);
DROP INDEX audit_by_actor;
CREATE INDEX audit_by_actor ON audit (actor, created_at);
DROP INDEX version_by_time;
CREATE INDEX version_by_time ON version (bundle_id, published_at);

-- Ids of blobs grow, so new entries come at the end and leave no pages half full.
DROP INDEX manifest_blob_by_link;
CREATE INDEX manifest_blob_by_link ON manifest_blob (blob_id, repository_id);

-- Few rows have one time; an organization has few sums.
DROP INDEX blob_by_check;
CREATE INDEX blob_by_check ON blob (checked_at);
DROP INDEX manifest_by_check;
CREATE INDEX manifest_by_check ON manifest (checked_at);
DROP INDEX usage_delta_by_organization;
CREATE INDEX usage_delta_by_organization ON usage_delta (organization_id);
${audit_seq}
