-- Other bundles that a version needs. repository_id: the required one, whose row stays when its bundle is deleted. owner_id: the
-- organization that owned its namespace at the publish. by_...: the name of the bundle of the version, for lists of dependents.
CREATE TABLE version_requirement (
    version_id    TEXT    NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    repository_id BIGINT  NOT NULL REFERENCES repository (id),
    version_range TEXT    NOT NULL,
    optional      INTEGER NOT NULL,
    owner_id      TEXT    NOT NULL,
    by_namespace  TEXT ${bytewise} NOT NULL,
    by_bundle     TEXT ${bytewise} NOT NULL,
    PRIMARY KEY (version_id, repository_id)
);
CREATE INDEX version_requirement_reverse ON version_requirement (repository_id, by_namespace, by_bundle, version_id);

-- requires: what a push that waits needs, one a line: the bundle, whether it is optional (1 or 0), and the range.
ALTER TABLE review ADD COLUMN requires TEXT NOT NULL DEFAULT '';

-- Changes of bundles that others require and of which their organizations still have to be told. version: null for the whole bundle.
-- changed_id: the version or the bundle.
-- reached_...: the last dependent that was told of it.
CREATE TABLE dependency_change (
    id                TEXT   PRIMARY KEY,
    repository_id     BIGINT NOT NULL REFERENCES repository (id),
    version           TEXT,
    changed_id        TEXT   NOT NULL,
    cause             TEXT   NOT NULL,
    reached_namespace TEXT ${bytewise} NOT NULL,
    reached_bundle    TEXT ${bytewise} NOT NULL
);
