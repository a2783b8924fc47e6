-- A time takes 8 bytes and an id 37. Ids begin with the time of their rows, so both sort alike, except for the rows of one
-- millisecond, which queries sort.
CREATE INDEX audit_by_organization_time ON audit (organization_id, created_at);
CREATE INDEX audit_by_actor_time ON audit (actor, created_at);
CREATE INDEX version_by_published ON version (bundle_id, published_at);

-- Ids of blobs grow, so new entries come at the end and leave no pages half full.
CREATE INDEX manifest_blob_by_blob ON manifest_blob (blob_id, repository_id);

-- Few rows have one time; an organization has few sums.
CREATE INDEX blob_by_checked ON blob (checked_at);
CREATE INDEX manifest_by_checked ON manifest (checked_at);
CREATE INDEX usage_delta_by_owner ON usage_delta (organization_id);

-- The old ones go last, because nodes of the release before use an old or a new one meanwhile.
DROP INDEX audit_by_organization;
DROP INDEX audit_by_actor;
DROP INDEX version_by_time;
DROP INDEX manifest_blob_by_link;
DROP INDEX blob_by_check;
DROP INDEX manifest_by_check;
DROP INDEX usage_delta_by_organization;
${audit_seq}
