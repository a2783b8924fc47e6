-- What was made of versions for programs that know artifacts of skills, or images: once, and kept, so that digests stay what
-- they are. dialect: agentskill | image. skill: empty: the whole version. The layer's bytes are in no table: they follow from
-- the version's files.
CREATE TABLE derived_image (
    version_id    TEXT   NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    dialect       TEXT   NOT NULL,
    skill         TEXT ${bytewise} NOT NULL,
    repository_id BIGINT NOT NULL REFERENCES repository (id),
    digest        TEXT ${bytewise} NOT NULL,
    manifest      ${bytes} NOT NULL,
    config_digest TEXT ${bytewise} NOT NULL,
    config        ${bytes} NOT NULL,
    layer_digest  TEXT ${bytewise} NOT NULL,
    layer_size    BIGINT NOT NULL,
    PRIMARY KEY (version_id, dialect, skill)
);
CREATE INDEX derived_image_by_digest ON derived_image (repository_id, digest);
CREATE INDEX derived_image_by_config ON derived_image (repository_id, config_digest);
CREATE INDEX derived_image_by_layer ON derived_image (repository_id, layer_digest);

-- The files in the layer of a version that has but one, where that is an archive. mode: permissions, as Unix has them.
CREATE TABLE packed_file (
    version_id TEXT   NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    path       TEXT ${bytewise} NOT NULL,
    mode       BIGINT NOT NULL,
    digest     TEXT ${bytewise} NOT NULL,
    size       BIGINT NOT NULL,
    PRIMARY KEY (version_id, path)
);
