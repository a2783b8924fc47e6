-- One index for the order of versions in place of two. As unique as (bundle_id, sort_key), because the sort key says
-- whether a version is stable.
CREATE UNIQUE INDEX version_in_order ON version (bundle_id, stable, sort_key);

-- PostgreSQL stores equal keys once, with 6 bytes for each row. The entries of ten minutes are sorted by queries.
CREATE INDEX audit_by_organization_span ON audit (organization_id, (created_at / 600000));
CREATE INDEX audit_by_actor_span ON audit (actor, (created_at / 600000));

-- The old ones go last, because nodes of the release before use an old or a new one meanwhile.
DROP INDEX version_by_order;
DROP INDEX version_by_rank;
DROP INDEX audit_by_organization_time;
DROP INDEX audit_by_actor_time;
