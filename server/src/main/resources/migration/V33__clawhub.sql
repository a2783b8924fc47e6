-- An upload may belong to no repository: a client of ClawHub sends the files of a version before its name. Then promise says
-- what the content must be: size, digest and path.
ALTER TABLE upload RENAME TO upload_before;
CREATE TABLE upload (
    id            TEXT PRIMARY KEY,
    repository_id BIGINT REFERENCES repository (id),
    principal     TEXT   NOT NULL,
    algorithm     TEXT   NOT NULL,
    draft_id      TEXT   NOT NULL,
    written       BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    organization_id TEXT,
    promise       TEXT
);
INSERT INTO upload (id, repository_id, principal, algorithm, draft_id, written, created_at, expires_at, organization_id)
    SELECT id, repository_id, principal, algorithm, draft_id, written, created_at, expires_at, organization_id
    FROM upload_before;
DROP TABLE upload_before;
CREATE INDEX upload_by_expiry ON upload (expires_at);
CREATE INDEX upload_by_organization ON upload (organization_id, expires_at);
