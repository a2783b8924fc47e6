-- What git is given of versions, derived once from their assets and kept, so that ids stay what they are.
-- id, parent, tree: 40 hexadecimal digits of SHA-1. parent: the commit of the version published before; NULL: it is the
-- first. left_out: why git gets nothing of the version, which then has neither id nor tree.
CREATE TABLE git_commit (
    version_id    TEXT PRIMARY KEY REFERENCES version (id) ON DELETE CASCADE,
    repository_id BIGINT NOT NULL REFERENCES repository (id),
    id            TEXT ${bytewise},
    parent        TEXT ${bytewise},
    tree          TEXT ${bytewise},
    left_out      TEXT
);
CREATE INDEX git_commit_by_repository ON git_commit (repository_id, version_id);

-- Objects of git, each with the first version that it came with, so that a purge takes them along; what later versions
-- need of them is derived anew. kind: commit | tree | blob. size: of the object in bytes. digest: of a blob, whose bytes are
-- the registry's. content: of a commit or a tree, as a zlib stream, as packs hold it.
CREATE TABLE git_object (
    repository_id BIGINT NOT NULL REFERENCES repository (id),
    id            TEXT ${bytewise} NOT NULL,
    version_id    TEXT   NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    kind          TEXT   NOT NULL,
    size          BIGINT NOT NULL,
    digest        TEXT ${bytewise},
    content       ${bytes},
    PRIMARY KEY (repository_id, id)
);
CREATE INDEX git_object_by_version ON git_object (version_id);
CREATE INDEX git_object_by_digest ON git_object (repository_id, digest) WHERE digest IS NOT NULL;
