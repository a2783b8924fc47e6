-- PostgreSQL stores equal keys once, with 6 bytes for each row. When the collector looks is rounded, so many rows have the
-- same time. Events and audit entries are found by spans of ten minutes, whose rows are sorted by queries.
CREATE INDEX link_by_turn ON link (look_at);
CREATE INDEX manifest_by_turn ON manifest (look_at);
CREATE INDEX audit_by_span ON audit ((created_at / 600000));
CREATE INDEX event_by_span ON event ((created_at / 600000));

-- The time at the start of a bundle's id, in place of the id. Few bundles are made in the same millisecond.
CREATE INDEX version_by_publication ON version (substr(bundle_id, 1, 13), published_at);

${shorter_keys}
-- The old ones go last, because nodes of the release before use an old or a new one meanwhile.
DROP INDEX link_by_look;
DROP INDEX manifest_by_look;
DROP INDEX version_by_published;
