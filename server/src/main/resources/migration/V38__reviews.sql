-- Which pushes need approval. bundle: a bundle, or '' for all of the namespace. reviewers: roles (owner, admin, publisher, reader) and
-- people (user:<id>), one a line. expires: how long a push waits, in milliseconds. The columns next_...: what a looser policy becomes at
-- next_at; next_approvals 0 means that the policy ends.
CREATE TABLE review_policy (
    namespace               TEXT ${bytewise} NOT NULL REFERENCES namespace (name),
    bundle                  TEXT ${bytewise} NOT NULL,
    approvals               INTEGER NOT NULL,
    reviewers               TEXT    NOT NULL,
    excludes_publisher      INTEGER NOT NULL,
    expires                 BIGINT  NOT NULL,
    next_at                 BIGINT,
    next_by                 TEXT,
    next_approvals          INTEGER,
    next_reviewers          TEXT,
    next_excludes_publisher INTEGER,
    next_expires            BIGINT,
    PRIMARY KEY (namespace, bundle)
);

-- Pushes that wait for approval, or waited. There is no version until then: the bundle may not even exist. state: held | published |
-- rejected | withdrawn | expired. round: counts the contents that were pushed under this number. pusher: the person behind pushed_by.
-- tags: those of the push, one a line, each with the id of the manifest to which it pointed then, or 0. manifest_id: null once the
-- content need not be kept. The three columns of the policy are those at the time of the push.
CREATE TABLE review (
    id                 TEXT PRIMARY KEY,
    repository_id      BIGINT NOT NULL REFERENCES repository (id),
    version            TEXT   NOT NULL,
    precedence         TEXT   NOT NULL,
    digest             TEXT ${bytewise} NOT NULL,
    manifest_id        BIGINT REFERENCES manifest (id) ON DELETE SET NULL,
    round              INTEGER NOT NULL,
    state              TEXT   NOT NULL,
    approvals          INTEGER NOT NULL,
    reviewers          TEXT   NOT NULL,
    excludes_publisher INTEGER NOT NULL,
    size               BIGINT NOT NULL,
    name               TEXT   NOT NULL,
    description        TEXT,
    readme_content     TEXT,
    readme_format      TEXT,
    visibility         TEXT,
    message            TEXT,
    tags               TEXT   NOT NULL,
    pushed_at          BIGINT NOT NULL,
    pushed_by          TEXT   NOT NULL,
    pusher             TEXT,
    expires_at         BIGINT NOT NULL,
    warned             INTEGER NOT NULL,
    ended_at           BIGINT
);
CREATE UNIQUE INDEX review_open ON review (repository_id, precedence) WHERE state = 'held';
CREATE INDEX review_by_repository ON review (repository_id, id);
CREATE INDEX review_by_manifest ON review (manifest_id) WHERE manifest_id IS NOT NULL;
CREATE INDEX review_due ON review (expires_at) WHERE state = 'held';
CREATE INDEX review_ended ON review (ended_at) WHERE state <> 'held' AND manifest_id IS NOT NULL;

-- The files of a push, as in asset.
CREATE TABLE review_file (
    review_id     TEXT NOT NULL REFERENCES review (id) ON DELETE CASCADE,
    path          TEXT ${bytewise} NOT NULL,
    asset_type    TEXT NOT NULL,
    declared_type TEXT,
    digest        TEXT ${bytewise} NOT NULL,
    size          BIGINT NOT NULL,
    media_type    TEXT NOT NULL,
    executable    INTEGER,
    PRIMARY KEY (review_id, path)
);

-- Who approved or rejected what, and why.
CREATE TABLE review_decision (
    review_id  TEXT NOT NULL REFERENCES review (id) ON DELETE CASCADE,
    round      INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    decision   TEXT NOT NULL,
    reason     TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (review_id, round, account_id)
);

-- held: 1 if only writers and reviewers may read it, because no version has it yet.
ALTER TABLE manifest ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
CREATE INDEX manifest_held ON manifest (repository_id) WHERE held = 1;

-- Who gave a member the present role, and when; null for memberships from before, which nobody doubts.
ALTER TABLE membership ADD COLUMN granted_by TEXT;
ALTER TABLE membership ADD COLUMN granted_at BIGINT;
