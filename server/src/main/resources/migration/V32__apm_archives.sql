-- Archives that came with versions from clients of APM, which keep their digests. The bytes are a layer of a manifest that refers
-- to the version's.
CREATE TABLE apm_archive (
    version_id TEXT   PRIMARY KEY REFERENCES version (id) ON DELETE CASCADE,
    media_type TEXT   NOT NULL,
    digest     TEXT ${bytewise} NOT NULL,
    size       BIGINT NOT NULL
);
