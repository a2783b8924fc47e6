-- One schema for SQLite and PostgreSQL. What the two spell differently stands in placeholders (class Dialect):
--   ${identity}     a growing 64-bit primary key         ${bytes}     binary content
--   ${bytewise}     the collation that compares bytes, so that both sort text alike
--   ${found_by_id}  a primary key; on PostgreSQL none, and a hash index at most, where random bits make an id unique
--   ${unlogged}     a table that may be lost in a crash
-- and, in lines of their own, what only one of them has.
-- Ids that the API shows are UUIDv7 as text; times are milliseconds since 1970 (UTC); booleans are 0 or 1.

-- organizations, namespaces ------------------------------------------------------------------------------------------

-- quota_…: the most that it may hold; 0: any amount; NULL: what the installation's settings say.
CREATE TABLE organization (
    id             TEXT PRIMARY KEY,
    handle         TEXT   NOT NULL UNIQUE,
    name           TEXT   NOT NULL,
    quota_bytes    BIGINT,
    quota_bundles  BIGINT,
    quota_versions BIGINT,
    created_at     BIGINT NOT NULL
);

-- What transactions added to what an organization holds, and took from it. Rows are only ever inserted, so pushes never
-- wait for each other here; what is in use is their sum. Upkeep replaces many rows by their sum.
-- bytes: of blobs, once for each repository that holds one, and of manifests.
CREATE TABLE usage_delta (
    id              ${identity},
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    bytes           BIGINT NOT NULL,
    bundles         BIGINT NOT NULL,
    versions        BIGINT NOT NULL,
    created_at      BIGINT NOT NULL
);
CREATE INDEX usage_delta_by_owner ON usage_delta (organization_id);

-- skills_index: 1 where the namespace lists the skills of its bundles for clients that ask for all of them.
CREATE TABLE namespace (
    name            TEXT ${bytewise} PRIMARY KEY,
    display_name    TEXT   NOT NULL,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    created_at      BIGINT NOT NULL,
    created_by      TEXT,
    skills_index    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX namespace_by_organization ON namespace (organization_id, name);

-- people -------------------------------------------------------------------------------------------------------------

-- email: in its normal form, which makes two spellings of one mailbox one account. password: an encoded Argon2id hash;
-- NULL: none, so nobody signs in with one. email_proved_at: when a provider proved that the address is its owner's; an
-- invitation alone proves nothing, since its token is handed on. time_zone: of the IANA database, in which pages show times
-- to a person; NULL: UTC.
CREATE TABLE account (
    id                  TEXT PRIMARY KEY,
    email               TEXT ${bytewise} NOT NULL UNIQUE,
    username            TEXT ${bytewise} NOT NULL UNIQUE,
    full_name           TEXT,
    password            TEXT,
    password_changed_at BIGINT,
    created_at          BIGINT NOT NULL,
    created_by          TEXT   NOT NULL,
    signed_in_at        BIGINT,
    disabled_at         BIGINT,
    email_proved_at     BIGINT,
    time_zone           TEXT
);

-- Whom an OpenID provider knows as that subject.
CREATE TABLE account_identity (
    issuer     TEXT ${bytewise} NOT NULL,
    subject    TEXT ${bytewise} NOT NULL,
    account_id TEXT   NOT NULL REFERENCES account (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);

-- role: owner | admin | publisher | reader.
CREATE TABLE membership (
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    account_id      TEXT   NOT NULL REFERENCES account (id),
    role            TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    created_by      TEXT   NOT NULL,
    PRIMARY KEY (organization_id, account_id)
);
CREATE INDEX membership_by_account ON membership (account_id, created_at);

-- email: of the one person who may accept. token_hash: of the token that was handed out last.
CREATE TABLE invitation (
    id              TEXT PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    email           TEXT ${bytewise} NOT NULL,
    role            TEXT   NOT NULL,
    token_hash      TEXT   NOT NULL UNIQUE,
    created_at      BIGINT NOT NULL,
    created_by      TEXT   NOT NULL,
    expires_at      BIGINT NOT NULL,
    accepted_at     BIGINT,
    revoked_at      BIGINT
);
CREATE INDEX invitation_by_organization ON invitation (organization_id, id);
CREATE UNIQUE INDEX invitation_open ON invitation (organization_id, email)
    WHERE accepted_at IS NULL AND revoked_at IS NULL;

-- A namespace that one organization offers another. outcome: accepted | declined | cancelled; NULL: it is open.
CREATE TABLE namespace_transfer (
    id                TEXT PRIMARY KEY,
    namespace         TEXT ${bytewise} NOT NULL REFERENCES namespace (name),
    from_organization TEXT   NOT NULL REFERENCES organization (id),
    to_organization   TEXT   NOT NULL REFERENCES organization (id),
    created_at        BIGINT NOT NULL,
    created_by        TEXT   NOT NULL,
    expires_at        BIGINT NOT NULL,
    outcome           TEXT,
    ended_at          BIGINT,
    ended_by          TEXT
);
CREATE INDEX namespace_transfer_by_giver ON namespace_transfer (from_organization, id);
CREATE INDEX namespace_transfer_by_receiver ON namespace_transfer (to_organization, id);
CREATE UNIQUE INDEX namespace_transfer_open ON namespace_transfer (namespace) WHERE outcome IS NULL;

-- What can be used once to set a password: only a keyed hash of it is here.
CREATE TABLE password_ticket (
    hash       TEXT PRIMARY KEY,
    account_id TEXT   NOT NULL REFERENCES account (id),
    created_at BIGINT NOT NULL,
    ends_at    BIGINT NOT NULL
);
CREATE INDEX password_ticket_by_account ON password_ticket (account_id);

-- What makes the codes that an account's password takes besides. seed: sealed with AES-GCM under a key of the master
-- secret. last_step: the latest of 30 seconds whose code was used. activated_at: NULL: it is yet to be confirmed.
CREATE TABLE totp (
    account_id   TEXT PRIMARY KEY REFERENCES account (id),
    seed         TEXT   NOT NULL,
    last_step    BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    activated_at BIGINT
);

-- What stands in for such a code once.
CREATE TABLE recovery_code (
    hash       TEXT PRIMARY KEY,
    account_id TEXT   NOT NULL REFERENCES account (id),
    created_at BIGINT NOT NULL
);
CREATE INDEX recovery_code_by_account ON recovery_code (account_id);

-- Attempts to sign in since the last one that succeeded, whether or not there is such an account. subject: a keyed hash
-- of the e-mail address. retry_at: until then no further one is looked at.
CREATE TABLE sign_in_attempt (
    subject  TEXT PRIMARY KEY,
    failures INTEGER NOT NULL,
    last_at  BIGINT NOT NULL,
    retry_at BIGINT NOT NULL
);
CREATE INDEX sign_in_attempt_by_age ON sign_in_attempt (last_at);

-- Somebody signed in on a device. A refresh token is derived from seed and generation under the master secret, so none
-- is stored; generation: of the one that is good now, since rotated_at. idle_until moves with its use.
-- scope, organization_id: what a program was given; NULL: the person's own session, for everything.
CREATE TABLE session (
    id            TEXT PRIMARY KEY,
    account_id    TEXT   NOT NULL REFERENCES account (id),
    seed          TEXT   NOT NULL,
    generation    BIGINT NOT NULL,
    rotated_at    BIGINT NOT NULL,
    method        TEXT   NOT NULL,
    device        TEXT   NOT NULL,
    address       TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    used_at       BIGINT NOT NULL,
    idle_until    BIGINT NOT NULL,
    ends_at       BIGINT NOT NULL,
    ended_at      BIGINT,
    ended_because TEXT,
    scope         TEXT,
    organization_id TEXT
);
CREATE INDEX session_by_account ON session (account_id, id);
CREATE INDEX session_by_end ON session (ends_at);

-- keys ---------------------------------------------------------------------------------------------------------------

-- secret_hash: HMAC-SHA-256 of the secret under the pepper of that number. restrictions: an entry a line, its kind first.
-- retire_at: when a key that was rotated stops to work, never after expires_at. told_days: the last step towards its
-- end that its owners were told of: 14 or 3 days before it, or 0 when it came. last_used_from: the address of the client
-- that used it last.
CREATE TABLE api_key (
    id              TEXT PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    name            TEXT   NOT NULL,
    description     TEXT,
    scopes          TEXT   NOT NULL,
    restrictions    TEXT,
    hint            TEXT   NOT NULL,
    secret_hash     TEXT   NOT NULL UNIQUE,
    pepper          BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    created_by      TEXT,
    expires_at      BIGINT,
    disabled_at     BIGINT,
    retire_at       BIGINT,
    revoked_at      BIGINT,
    revoked_by      TEXT,
    revoked_reason  TEXT,
    last_used_at    BIGINT,
    rotated_from    TEXT,
    replaced_by     TEXT,
    told_days       BIGINT,
    last_used_from  TEXT
);
CREATE INDEX api_key_by_organization ON api_key (organization_id, id);
CREATE INDEX api_key_by_end ON api_key ((COALESCE(retire_at, expires_at)), id)
    WHERE revoked_at IS NULL AND COALESCE(retire_at, expires_at) IS NOT NULL;
CREATE INDEX api_key_by_pepper ON api_key (pepper);
-- Revoked keys that are due to be deleted.
CREATE INDEX api_key_revoked ON api_key (revoked_at) WHERE revoked_at IS NOT NULL;

-- For how long new keys of an organization may work, and do where nobody says; milliseconds. NULL: for ever.
CREATE TABLE key_policy (
    organization_id TEXT PRIMARY KEY REFERENCES organization (id),
    default_expiry  BIGINT,
    max_expiry      BIGINT
);

-- What secrets of keys are hashed with, derived from a master secret under the number; check_value tells from which.
-- The newest that is active is used for new hashes. retired_at: keys that are hashed with it are unknown from then on.
CREATE TABLE pepper (
    number      BIGINT PRIMARY KEY,
    check_value TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    active_from BIGINT NOT NULL,
    retired_at  BIGINT
);

-- The keys of access tokens, derived from the master secret under kid. A key signs from active_from until the next one
-- does, and verifies until retire_at; NULL: it has no successor.
CREATE TABLE signing_key (
    number      BIGINT PRIMARY KEY,
    kid         TEXT   NOT NULL UNIQUE,
    created_at  BIGINT NOT NULL,
    active_from BIGINT NOT NULL,
    retire_at   BIGINT
);

-- Access tokens that were revoked, by their ids, until they would have expired.
CREATE TABLE revoked_token (
    id         TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX revoked_token_by_expiry ON revoked_token (expires_at);

-- Devices that wait for somebody's leave (RFC 8628), under keyed hashes of their codes. state: PENDING | APPROVED | DENIED.
-- account_id: who signed in to decide; ticket_hash: of what the decision must come with.
CREATE TABLE device_grant (
    device_hash      TEXT PRIMARY KEY,
    user_hash        TEXT   NOT NULL UNIQUE,
    client           TEXT   NOT NULL,
    scope            TEXT   NOT NULL,
    address          TEXT   NOT NULL,
    state            TEXT   NOT NULL,
    account_id       TEXT,
    ticket_hash      TEXT,
    organization_id  TEXT,
    expires_at       BIGINT NOT NULL,
    interval_seconds BIGINT NOT NULL,
    polled_at        BIGINT NOT NULL
);
CREATE INDEX device_grant_by_expiry ON device_grant (expires_at);

-- Workflows elsewhere that may publish. provider: github | gitlab | oidc. repository: owner and name, in lower case; the
-- ids are as the provider numbers them, and learned at the first run where they are NULL.
-- claims: a value a line, its kind and claim first. bundles: as restrictions of keys.
CREATE TABLE trusted_publisher (
    id              TEXT PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    provider        TEXT   NOT NULL,
    issuer          TEXT   NOT NULL,
    repository      TEXT,
    repository_id   TEXT,
    owner_id        TEXT,
    workflow        TEXT,
    environment     TEXT,
    claims          TEXT,
    bundles         TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    created_by      TEXT,
    last_used_at    BIGINT
);
CREATE INDEX trusted_publisher_by_organization ON trusted_publisher (organization_id, id);
CREATE INDEX trusted_publisher_by_issuer ON trusted_publisher (issuer, repository);

-- Each id_token is good once. hash: of its issuer and its id; expires_at: when it would be refused anyway.
CREATE TABLE used_id_token (
    hash       TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_id_token_by_expiry ON used_id_token (expires_at);

-- Facts about the installation, such as a check value that tells a wrong pepper from an unknown key.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- content ------------------------------------------------------------------------------------------------------------

-- A repository holds blobs and manifests; it exists from the first upload on, and nobody but its owner sees it before
-- something is published in it. deleted_at: hidden from everybody, and can be restored for 30 days; purged_at: nothing
-- is left in it but tombstones. The name stays taken.
CREATE TABLE repository (
    id         ${identity},
    namespace  TEXT ${bytewise} NOT NULL REFERENCES namespace (name),
    name       TEXT ${bytewise} NOT NULL,
    visibility TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT,
    purged_at  BIGINT,
    UNIQUE (namespace, name)
);
CREATE INDEX repository_public ON repository (namespace, name) WHERE visibility = 'public' AND deleted_at IS NULL;
CREATE INDEX repository_by_deletion ON repository (deleted_at, id) WHERE deleted_at IS NOT NULL AND purged_at IS NULL;

-- One row per digest. object_id: where the bytes are in the blob store; NULL: inline in blob_content.
-- state: ok | suspect (damaged bytes; the next upload of the digest replaces the object).
-- checked_at: when its bytes were last found to have the digest, or a check of them was begun.
-- Ids are never used again, not even those of deleted rows: caches hold content by id.
CREATE TABLE blob (
    id         ${identity},
    digest     TEXT ${bytewise} NOT NULL UNIQUE,
    size       BIGINT NOT NULL,
    object_id  TEXT,
    state      TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    checked_at BIGINT NOT NULL
);
CREATE INDEX blob_by_checked ON blob (checked_at);

-- By the part of the object's name that stands for it in every blob store: its last 32 characters.
CREATE INDEX blob_by_part ON blob (substr(object_id, length(object_id) - 31)) WHERE object_id IS NOT NULL;

CREATE TABLE blob_content (
    blob_id BIGINT PRIMARY KEY REFERENCES blob (id) ON DELETE CASCADE,
    content ${bytes} NOT NULL
);

-- Membership: which repository holds which blob. Never collected before leased_until, nor while a manifest refers to it.
-- look_at: when the collector looks at it next; it says nothing else.
CREATE TABLE link (
    repository_id BIGINT NOT NULL REFERENCES repository (id),
    blob_id       BIGINT NOT NULL REFERENCES blob (id),
    leased_until  BIGINT NOT NULL,
    look_at       BIGINT NOT NULL,
    PRIMARY KEY (${link_key})
);
CREATE INDEX ${link_other} ON link (${link_rest});
-- When the collector looks is rounded, so many rows have the same time, which PostgreSQL stores once.
CREATE INDEX link_by_turn ON link (look_at);

-- digest: the one under which the manifest was pushed. artifact_type and annotations are kept for referrers.
-- state, checked_at: as a blob's; the next push of the digest replaces the content.
-- look_at: as in link. released_by: tag | index | subject | version, what last stopped to need it, at released_at.
CREATE TABLE manifest (
    id             ${identity},
    repository_id  BIGINT NOT NULL REFERENCES repository (id),
    digest         TEXT ${bytewise} NOT NULL,
    media_type     TEXT   NOT NULL,
    artifact_type  TEXT,
    subject_digest TEXT ${bytewise},
    annotations    TEXT,
    size           BIGINT NOT NULL,
    state          TEXT   NOT NULL,
    leased_until   BIGINT NOT NULL,
    look_at        BIGINT NOT NULL,
    released_at    BIGINT,
    released_by    TEXT,
    created_at     BIGINT NOT NULL,
    checked_at     BIGINT NOT NULL,
    UNIQUE (repository_id, digest)
);
CREATE INDEX manifest_by_checked ON manifest (checked_at);
CREATE INDEX manifest_by_turn ON manifest (look_at);
CREATE INDEX manifest_by_subject ON manifest (repository_id, subject_digest, id) WHERE subject_digest IS NOT NULL;
CREATE INDEX manifest_of_signature_type ON manifest (id) WHERE artifact_type IN (
    'application/vnd.cncf.notary.signature',
    'application/vnd.dev.cosign.artifact.sig.v1+json',
    'application/vnd.dev.sigstore.bundle.v0.3+json');

CREATE TABLE manifest_content (
    manifest_id BIGINT PRIMARY KEY REFERENCES manifest (id) ON DELETE CASCADE,
    content     ${bytes} NOT NULL
);

-- What keeps a blob's link: the key points at the link, so a swept link and a new manifest cannot both commit.
CREATE TABLE manifest_blob (
    manifest_id   BIGINT NOT NULL REFERENCES manifest (id) ON DELETE CASCADE,
    repository_id BIGINT NOT NULL,
    blob_id       BIGINT NOT NULL,
    PRIMARY KEY (manifest_id, blob_id),
    FOREIGN KEY (repository_id, blob_id) REFERENCES link (repository_id, blob_id)
);
-- Ids of blobs grow, so new entries come at the end and leave no pages half full.
CREATE INDEX manifest_blob_by_blob ON manifest_blob (blob_id, repository_id);

-- What was deleted for good: the number and the digest are never used again in the repository. id: the version's.
-- yanked_at: since when it was yanked, so that it is known what could be chosen at a moment before.
CREATE TABLE tombstone (
    id            TEXT PRIMARY KEY,
    repository_id BIGINT NOT NULL REFERENCES repository (id),
    version       TEXT   NOT NULL,
    precedence    TEXT   NOT NULL,
    digest        TEXT ${bytewise} NOT NULL,
    deleted_at    BIGINT NOT NULL,
    deleted_by    TEXT,
    reason        TEXT,
    purged        INTEGER NOT NULL,
    yanked_at     BIGINT,
    UNIQUE (repository_id, precedence)
);
CREATE INDEX tombstone_by_digest ON tombstone (repository_id, digest);

-- The manifests that an index lists.
CREATE TABLE manifest_child (
    manifest_id BIGINT NOT NULL REFERENCES manifest (id) ON DELETE CASCADE,
    child_id    BIGINT NOT NULL REFERENCES manifest (id),
    PRIMARY KEY (manifest_id, child_id)
);
CREATE INDEX manifest_child_by_child ON manifest_child (child_id);

-- What a manifest names and its repository does not hold (only where sparse manifests are taken). When it comes, the row
-- turns into one of the two above. kind: blob | manifest.
CREATE TABLE manifest_absent (
    manifest_id   BIGINT NOT NULL REFERENCES manifest (id) ON DELETE CASCADE,
    kind          TEXT   NOT NULL,
    digest        TEXT ${bytewise} NOT NULL,
    repository_id BIGINT NOT NULL,
    PRIMARY KEY (manifest_id, kind, digest)
);
CREATE INDEX manifest_absent_by_digest ON manifest_absent (repository_id, digest);

-- kind: version (immutable, made by publishing) | managed (latest, kept by the service) | user.
CREATE TABLE tag (
    repository_id BIGINT NOT NULL REFERENCES repository (id),
    name          TEXT ${bytewise} NOT NULL,
    manifest_id   BIGINT NOT NULL REFERENCES manifest (id),
    kind          TEXT   NOT NULL,
    protected     INTEGER NOT NULL DEFAULT 0,
    updated_at    BIGINT NOT NULL,
    updated_by    TEXT,
    PRIMARY KEY (repository_id, name)
);
CREATE INDEX tag_by_manifest ON tag (manifest_id, name);
-- Most tags of a large repository are versions' numbers; the pages of the others pass over them.
CREATE INDEX tag_named ON tag (repository_id, name) WHERE kind <> 'version';

-- Every move of a tag that is no version's number, in the order of seq. A digest is NULL where the tag was not there.
CREATE TABLE tag_history (
    seq           ${identity},
    id            TEXT   NOT NULL,
    repository_id BIGINT NOT NULL REFERENCES repository (id),
    name          TEXT ${bytewise} NOT NULL,
    old_digest    TEXT ${bytewise},
    new_digest    TEXT ${bytewise},
    moved_at      BIGINT NOT NULL,
    moved_by      TEXT
);
CREATE INDEX tag_history_by_tag ON tag_history (repository_id, name, seq);

-- An upload in progress. written: bytes of the draft that are durable and acknowledged; moves by compare-and-set.
-- algorithm: the one that the bytes are hashed with on the way. organization_id: whose quota the bytes count against while
-- it is open; NULL: one that was restored without it.
CREATE TABLE upload (
    id            TEXT PRIMARY KEY,
    repository_id BIGINT NOT NULL REFERENCES repository (id),
    principal     TEXT   NOT NULL,
    algorithm     TEXT   NOT NULL,
    draft_id      TEXT   NOT NULL,
    written       BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    organization_id TEXT
);
CREATE INDEX upload_by_expiry ON upload (expires_at);
CREATE INDEX upload_by_organization ON upload (organization_id, expires_at);

-- What may leave the blob store once due_at is past. kind: object | draft.
-- repository_id: the last one that held it, which may be gone; NULL: none ever did, or others still hold the blob.
CREATE TABLE object_deletion (
    id            TEXT ${bytewise} PRIMARY KEY,
    kind          TEXT   NOT NULL,
    size          BIGINT NOT NULL,
    repository_id BIGINT,
    due_at        BIGINT NOT NULL,
    reason        TEXT   NOT NULL
);
CREATE INDEX object_deletion_by_due ON object_deletion (due_at, id);
CREATE INDEX object_deletion_by_part ON object_deletion (substr(id, length(id) - 31)) WHERE kind = 'object';

-- What lies in the blob store and no row names, by its name there. aside_at: since when it is put aside.
CREATE TABLE stray (
    name       TEXT ${bytewise} PRIMARY KEY,
    kind       TEXT   NOT NULL,
    part       TEXT   NOT NULL,
    size       BIGINT NOT NULL,
    first_seen BIGINT NOT NULL,
    seen       BIGINT NOT NULL,
    aside_at   BIGINT
);

-- bundles ------------------------------------------------------------------------------------------------------------

-- keywords: one a line. deleted_at: as its repository's. working_since: when its assets were first edited in place.
CREATE TABLE bundle (
    id              TEXT PRIMARY KEY,
    repository_id   BIGINT NOT NULL UNIQUE REFERENCES repository (id),
    name            TEXT   NOT NULL,
    description     TEXT,
    source_type     TEXT   NOT NULL,
    readme_content  TEXT,
    readme_format   TEXT,
    license         TEXT,
    repository_url  TEXT,
    homepage_url    TEXT,
    keywords        TEXT,
    deprecation_message     TEXT,
    deprecation_replacement TEXT,
    created_at      BIGINT NOT NULL,
    created_by      TEXT,
    updated_at      BIGINT,
    working_since   BIGINT,
    deleted_at      BIGINT,
    deleted_by      TEXT,
    delete_reason   TEXT
);

-- precedence: the version without build metadata, unique in the bundle. sort_key: its byte order is SemVer precedence.
-- stable: 1 where it is no prerelease. state: published | yanked.
-- The foreign key pins the manifest: an untagged version is never garbage.
CREATE TABLE version (
    id                     TEXT PRIMARY KEY,
    bundle_id              TEXT   NOT NULL REFERENCES bundle (id),
    version                TEXT   NOT NULL,
    precedence             TEXT   NOT NULL,
    sort_key               TEXT ${bytewise} NOT NULL,
    stable                 INTEGER NOT NULL,
    manifest_id            BIGINT NOT NULL REFERENCES manifest (id),
    state                  TEXT   NOT NULL,
    size                   BIGINT NOT NULL,
    published_at           BIGINT NOT NULL,
    published_by           TEXT,
    message                TEXT,
    yanked_at              BIGINT,
    yanked_by              TEXT,
    yank_reason            TEXT,
    yank_reason_code       TEXT,
    yank_replacement       TEXT,
    deprecation_message    TEXT,
    deprecation_replacement TEXT
);
-- As unique as (bundle_id, sort_key), because the sort key says whether a version is stable.
CREATE UNIQUE INDEX version_in_order ON version (bundle_id, stable, sort_key);
CREATE INDEX version_by_manifest ON version (manifest_id);
-- The time at the start of a bundle's id, in place of the id. Few bundles are made in the same millisecond.
CREATE INDEX version_by_publication ON version (substr(bundle_id, 1, 13), published_at);

-- Yanks that were taken back, for those who ask what was so at some moment.
CREATE TABLE past_yank (
    version_id  TEXT   NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    yanked_at   BIGINT NOT NULL,
    unyanked_at BIGINT NOT NULL
);
CREATE INDEX past_yank_by_version ON past_yank (version_id);

-- executable: whether its owner may execute it: 1 or 0; NULL: not known, of what release 0.1 stored.
CREATE TABLE asset (
    id            ${found_by_id},
    version_id    TEXT   NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    path          TEXT ${bytewise} NOT NULL,
    asset_type    TEXT   NOT NULL,
    declared_type TEXT,
    digest        TEXT ${bytewise} NOT NULL,
    size          BIGINT NOT NULL,
    media_type    TEXT   NOT NULL,
    executable    INTEGER,
    UNIQUE (version_id, path)
);

-- What the checks of its content noticed of a version, in the order of position.
CREATE TABLE version_warning (
    version_id TEXT    NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    path       TEXT ${bytewise} NOT NULL,
    code       TEXT    NOT NULL,
    detail     TEXT    NOT NULL,
    PRIMARY KEY (version_id, position)
);

-- The assets of a bundle as they are being edited. folded: the path as file systems see it that ignore case.
-- What keeps a blob's link besides manifests: the foreign key points at the link.
CREATE TABLE working_asset (
    id            TEXT PRIMARY KEY,
    bundle_id     TEXT   NOT NULL REFERENCES bundle (id),
    path          TEXT ${bytewise} NOT NULL,
    folded        TEXT ${bytewise} NOT NULL,
    asset_type    TEXT   NOT NULL,
    declared_type TEXT,
    media_type    TEXT   NOT NULL,
    repository_id BIGINT NOT NULL,
    blob_id       BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT,
    executable    INTEGER,
    UNIQUE (bundle_id, path),
    UNIQUE (bundle_id, folded),
    FOREIGN KEY (repository_id, blob_id) REFERENCES link (repository_id, blob_id)
);
CREATE INDEX working_asset_by_link ON working_asset (repository_id, blob_id);

-- the hub ------------------------------------------------------------------------------------------------------------

-- What the hub shows of a bundle, written by the transactions that change it. listed: 1 while it is public and has a
-- version that is published; else only the counters mean something. asset_types, keywords: one a line. title: the words
-- of the name, for whoever types it. published_at: of the newest version; updated_at: of any change that is seen.
-- trending: see Trend. skills: the names of those that clients can install, one a line; NULL: not known yet, nodes make up
-- for it when they start.
CREATE TABLE hub_entry (
    repository_id  BIGINT PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
    listed         INTEGER NOT NULL DEFAULT 0,
    bundle_id      TEXT    NOT NULL DEFAULT '',
    namespace      TEXT ${bytewise} NOT NULL DEFAULT '',
    slug           TEXT ${bytewise} NOT NULL DEFAULT '',
    title          TEXT    NOT NULL DEFAULT '',
    name           TEXT    NOT NULL DEFAULT '',
    summary        TEXT    NOT NULL DEFAULT '',
    asset_types    TEXT    NOT NULL DEFAULT '',
    keywords       TEXT    NOT NULL DEFAULT '',
    license        TEXT,
    latest_version TEXT    NOT NULL DEFAULT '',
    created_at     BIGINT  NOT NULL DEFAULT 0,
    published_at   BIGINT  NOT NULL DEFAULT 0,
    updated_at     BIGINT  NOT NULL DEFAULT 0,
    stars          BIGINT  NOT NULL DEFAULT 0,
    downloads      BIGINT  NOT NULL DEFAULT 0,
    trending       BIGINT  NOT NULL DEFAULT 0,
    skills         TEXT
);
CREATE INDEX hub_entry_by_time ON hub_entry (published_at, repository_id) WHERE listed = 1;
CREATE INDEX hub_entry_by_stars ON hub_entry (stars, repository_id) WHERE listed = 1;
CREATE INDEX hub_entry_by_downloads ON hub_entry (downloads, repository_id) WHERE listed = 1;
CREATE INDEX hub_entry_by_trend ON hub_entry (trending, repository_id) WHERE listed = 1;
CREATE INDEX hub_entry_by_slug ON hub_entry (slug, namespace) WHERE listed = 1;
CREATE INDEX hub_entry_by_title ON hub_entry (title) WHERE listed = 1;
CREATE INDEX hub_entry_without_skills ON hub_entry (repository_id) WHERE listed = 1 AND skills IS NULL;
CREATE INDEX bundle_deleted ON bundle (repository_id) WHERE deleted_at IS NOT NULL;

-- What lists of listed bundles are filtered by, such as type:skill.
CREATE TABLE hub_facet (
    facet         TEXT ${bytewise} NOT NULL,
    repository_id BIGINT NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
    PRIMARY KEY (facet, repository_id)
);
CREATE INDEX hub_facet_by_repository ON hub_facet (repository_id);

${hub_text}

CREATE TABLE hub_star (
    repository_id   BIGINT NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (repository_id, organization_id)
);

-- Pulls of a UTC day. day: days since 1970. own: how many of the downloads were the owning organization's.
CREATE TABLE download_day (
    repository_id BIGINT NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
    day           BIGINT NOT NULL,
    downloads     BIGINT NOT NULL,
    own           BIGINT NOT NULL,
    PRIMARY KEY (repository_id, day)
);

-- Days that are due to be added up; the sum of earlier days is day 0.
CREATE INDEX download_day_by_day ON download_day (day) WHERE day > 0;

-- Pulls of a version on a UTC day; columns as above.
CREATE TABLE version_day (
    version_id TEXT   NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    day        BIGINT NOT NULL,
    downloads  BIGINT NOT NULL,
    own        BIGINT NOT NULL,
    PRIMARY KEY (version_id, day)
);
CREATE INDEX version_day_by_day ON version_day (day) WHERE day > 0;

-- Who has been counted on a day already. client: a pseudonym that is another one the next day.
CREATE TABLE download_seen (
    day         BIGINT NOT NULL,
    manifest_id BIGINT NOT NULL,
    client      TEXT   NOT NULL,
    PRIMARY KEY (day, manifest_id, client)
);

-- Versions that somebody outside of the owning organization has pulled, from the first time on.
CREATE TABLE version_pull (
    version_id TEXT PRIMARY KEY REFERENCES version (id) ON DELETE CASCADE,
    first_at   BIGINT NOT NULL
);

-- upkeep -------------------------------------------------------------------------------------------------------------

-- Runs of tasks such as the collector that somebody started. state: running | succeeded | failed | cancelled.
-- report: JSON, as it was at updated_at. A run whose node died says running and is updated no more.
CREATE TABLE task_run (
    id           TEXT PRIMARY KEY,
    task         TEXT   NOT NULL,
    dry_run      INTEGER NOT NULL,
    state        TEXT   NOT NULL,
    report       TEXT   NOT NULL,
    error        TEXT,
    cancel_asked INTEGER NOT NULL DEFAULT 0,
    started_at   BIGINT NOT NULL,
    started_by   TEXT   NOT NULL,
    updated_at   BIGINT NOT NULL,
    ended_at     BIGINT
);
-- One run of a task at a time, on whichever node.
CREATE UNIQUE INDEX task_run_alone ON task_run (task) WHERE state = 'running';

-- POST requests under an Idempotency-Key. status is NULL while one is being carried out. reference: the path at which an
-- answer can be read that was too large to be kept; its body is empty then.
CREATE TABLE idempotent_request (
    principal   TEXT   NOT NULL,
    request_key TEXT   NOT NULL,
    fingerprint TEXT   NOT NULL,
    begun_at    BIGINT NOT NULL,
    status      INTEGER,
    location    TEXT,
    body        ${bytes},
    reference   TEXT,
    PRIMARY KEY (principal, request_key)
);
CREATE INDEX idempotent_request_by_age ON idempotent_request (begun_at);

-- what happened ------------------------------------------------------------------------------------------------------

-- The outbox: written in the transaction that makes it true. seq: the place in the feed of the organization, hub_seq: in that
-- of the hub; given after the commit, by one at a time, so that nobody who follows a feed ever finds one before what was
-- read. audience: read | admin, whom of the organization it is for. bundle: which one it is about. hub: 1 where the hub's feed
-- has it. All decided when it is written. actor: as in audit; NULL: the service itself.
CREATE TABLE event (
    id              ${found_by_id},
    type            TEXT   NOT NULL,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    subject         TEXT   NOT NULL,
    data            TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    seq             BIGINT,
    hub_seq         BIGINT,
    audience        TEXT   NOT NULL DEFAULT 'admin',
    bundle          TEXT,
    hub             BIGINT NOT NULL DEFAULT 0,
    actor           TEXT,
    actor_name      TEXT
);
CREATE UNIQUE INDEX event_by_seq ON event (organization_id, seq) WHERE seq IS NOT NULL;
CREATE UNIQUE INDEX event_by_hub_seq ON event (hub_seq) WHERE hub_seq IS NOT NULL;
CREATE INDEX event_without_seq ON event (id) WHERE seq IS NULL;
-- Events of jobs are kept for a shorter time than others.
CREATE INDEX event_of_jobs ON event (id) WHERE type LIKE 'job.%';
-- Events and audit entries are found by spans of ten minutes, whose rows are sorted by queries.
CREATE INDEX event_by_span ON event ((created_at / 600000));

-- name: an organization's id, or hub. last_seq: the highest number that was given. swept_seq: the highest that is gone.
-- epoch, of the hub's row, for all feeds: a random number that each restore makes anew; 0: never restored. Cursors hold it.
-- kept_seq: up to which number the events of a feed are the same in all epochs.
CREATE TABLE event_feed (
    name      TEXT PRIMARY KEY,
    last_seq  BIGINT NOT NULL,
    swept_seq BIGINT NOT NULL,
    epoch     BIGINT NOT NULL DEFAULT 0,
    kept_seq  BIGINT NOT NULL DEFAULT 0
);

-- The audit log. seq, hash: its place in the chain, given once within a second of the commit; all else never changes.
-- actor: key:… | user:… | publisher:… | system. outcome: success | denied. times: how many that were alike it stands for.
-- organization_id: NULL where it is about the installation.
CREATE TABLE audit (
    id              ${found_by_id},
    seq             BIGINT${unique_seq},
    hash            TEXT,
    organization_id TEXT REFERENCES organization (id),
    actor           TEXT   NOT NULL,
    actor_name      TEXT   NOT NULL,
    action          TEXT   NOT NULL,
    subject         TEXT   NOT NULL,
    outcome         TEXT   NOT NULL,
    detail          TEXT,
    times           BIGINT NOT NULL,
    address         TEXT,
    request_id      TEXT,
    created_at      BIGINT NOT NULL
);
CREATE INDEX audit_unsealed ON audit (id) WHERE seq IS NULL;
CREATE INDEX audit_by_span ON audit ((created_at / 600000));
CREATE INDEX audit_by_organization_span ON audit (organization_id, (created_at / 600000));
CREATE INDEX audit_by_actor_span ON audit (actor, (created_at / 600000));

-- what is derived of content ------------------------------------------------------------------------------------------

-- Which manifests have the type of a signature, and whose format they have; decided when a manifest is stored, so that
-- nobody reads its annotations to know. signer: NULL where it is another statement after all. What has no row was restored
-- without one: nodes make up for it when they start.
CREATE TABLE signature (
    manifest_id    BIGINT PRIMARY KEY REFERENCES manifest (id) ON DELETE CASCADE,
    repository_id  BIGINT NOT NULL,
    subject_digest TEXT ${bytewise},
    signer         TEXT,
    created_at     BIGINT NOT NULL
);
CREATE INDEX signature_by_subject ON signature (repository_id, subject_digest, created_at, manifest_id)
    WHERE signer IS NOT NULL;

-- What a bundle shows of itself that its files said, where nobody else did: the next version may replace that, and what
-- somebody edits is told from it. keywords: one a line.
CREATE TABLE said_profile (
    bundle_id   TEXT PRIMARY KEY REFERENCES bundle (id),
    name        TEXT,
    description TEXT,
    license     TEXT,
    keywords    TEXT
);

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

-- What is known of the archives of skills that somebody asked for. content: the digest of what an archive is made of. sums:
-- the checksums that stand in it. All of it follows from the files, so a row may go at any time.
CREATE TABLE skill_archive (
    content    TEXT ${bytewise} PRIMARY KEY,
    digest     TEXT ${bytewise} NOT NULL,
    size       BIGINT NOT NULL,
    sums       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX skill_archive_by_time ON skill_archive (created_at);

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

-- webhooks ------------------------------------------------------------------------------------------------------------

-- Work that one node at a time does, of whatever kind. What nobody has to do has no row.
-- owner: whose it is, so that no owner's work keeps that of others waiting. holder: the process that does it; NULL:
-- nobody. due_at: when somebody is to take it; while a process holds it, when that will count as dead. failures: how
-- often in a row it was cut short by an error.
CREATE TABLE work (
    kind     TEXT   NOT NULL,
    name     TEXT   NOT NULL,
    owner    TEXT   NOT NULL,
    due_at   BIGINT NOT NULL,
    holder   TEXT,
    failures BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, name)
);
CREATE INDEX work_by_due ON work (kind, due_at);

-- Where an organization has its events sent. headers: JSON, sealed; NULL: none. rate: most a second; NULL: any number.
-- types: each on a line of its own. restrictions: as in api_key. disabled: manually | gone | failing; NULL: it is enabled.
-- secret: sealed. old_secret: signs beside it until old_until.
CREATE TABLE webhook (
    id              TEXT PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    url             TEXT   NOT NULL,
    description     TEXT,
    headers         TEXT,
    rate            BIGINT,
    types           TEXT   NOT NULL,
    restrictions    TEXT,
    disabled        TEXT,
    disabled_at     BIGINT,
    secret          TEXT   NOT NULL,
    old_secret      TEXT,
    old_until       BIGINT,
    created_at      BIGINT NOT NULL,
    created_by      TEXT   NOT NULL,
    updated_at      BIGINT NOT NULL
);
CREATE INDEX webhook_of_organization ON webhook (organization_id, id);

-- How far a webhook is. seq: up to which event of the organization it has been looked at. failing_since: when the
-- first delivery failed of those that failed since one succeeded. failures: how many those are. paused_until: when
-- anything is tried again. replay_seq, replay_end: events after the one and up to the other are sent once more.
CREATE TABLE webhook_progress (
    webhook_id    TEXT PRIMARY KEY REFERENCES webhook (id) ON DELETE CASCADE,
    seq           BIGINT NOT NULL,
    failing_since BIGINT,
    failures      BIGINT NOT NULL DEFAULT 0,
    paused_until  BIGINT,
    replay_seq    BIGINT,
    replay_end    BIGINT
);

-- What was sent, or was tried to be; what was not tried yet has no row. state: delivered | pending | failed. due_at: when
-- a pending one is tried next. webhook_id: no foreign key, since one with very many is deleted in steps. body: what is sent where it is no event of the feed; NULL: that event.
CREATE TABLE delivery (
    id           TEXT PRIMARY KEY,
    webhook_id   TEXT   NOT NULL,
    event_id     TEXT   NOT NULL,
    event_seq    BIGINT,
    type         TEXT   NOT NULL,
    subject      TEXT   NOT NULL,
    body         TEXT,
    state        TEXT   NOT NULL,
    attempts     BIGINT NOT NULL,
    due_at       BIGINT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX delivery_of_webhook ON delivery (webhook_id, id);
CREATE INDEX delivery_of_type ON delivery (webhook_id, type, id);
CREATE INDEX delivery_undelivered ON delivery (webhook_id, state, id) WHERE state <> 'delivered';
CREATE INDEX delivery_by_due ON delivery (webhook_id, due_at, id) WHERE due_at IS NOT NULL;

-- Each try. status: of the answer; NULL: there was none. answer: its first bytes as text.
CREATE TABLE delivery_attempt (
    delivery_id  TEXT   NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
    number       BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    milliseconds BIGINT NOT NULL,
    status       BIGINT,
    answer       TEXT,
    error        TEXT,
    PRIMARY KEY (delivery_id, number)
);

-- queues --------------------------------------------------------------------------------------------------------------

-- Places where work runs. habitat_type: local | cloud.
CREATE TABLE habitat (
    id              TEXT PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    slug            TEXT   NOT NULL,
    name            TEXT   NOT NULL,
    habitat_type    TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT,
    UNIQUE (organization_id, slug)
);

-- Queues of jobs. status: active | paused | archived. max_running: NULL: any number. bundle: a reference as it was given.
-- execution: JSON; NULL: nothing. events: which ends of jobs become events, each on a line; NULL: none.
CREATE TABLE queue (
    id              TEXT PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    habitat_id      TEXT   NOT NULL REFERENCES habitat (id),
    slug            TEXT   NOT NULL,
    name            TEXT   NOT NULL,
    description     TEXT,
    status          TEXT   NOT NULL,
    max_attempts    BIGINT NOT NULL,
    lease_seconds   BIGINT NOT NULL,
    timeout_seconds BIGINT NOT NULL,
    max_running     BIGINT,
    max_depth       BIGINT NOT NULL,
    retry_base      BIGINT NOT NULL,
    retry_cap       BIGINT NOT NULL,
    retention_days  BIGINT NOT NULL,
    bundle          TEXT,
    harness_type    TEXT,
    execution       TEXT,
    events          TEXT,
    created_at      BIGINT NOT NULL,
    created_by      TEXT   NOT NULL,
    updated_at      BIGINT,
    UNIQUE (organization_id, slug)
);
CREATE INDEX queue_of_habitat ON queue (habitat_id);

-- What workers of a queue are told to do. template: Liquid; NULL: it is the prompt at `path` of the version of `bundle` with
-- that digest. active: one of a queue at most.
CREATE TABLE instruction (
    id         TEXT PRIMARY KEY,
    queue_id   TEXT    NOT NULL REFERENCES queue (id) ON DELETE CASCADE,
    version    BIGINT  NOT NULL,
    slug       TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    template   TEXT,
    bundle     TEXT,
    digest     TEXT,
    path       TEXT,
    active     BIGINT  NOT NULL,
    created_at BIGINT  NOT NULL,
    created_by TEXT    NOT NULL,
    UNIQUE (queue_id, version)
);
CREATE UNIQUE INDEX instruction_active ON instruction (queue_id) WHERE active = 1;

-- Jobs. status: scheduled | queued | claimed | running | completed | failed | dead | cancelled. place: what they are
-- handed out by, the lowest first: when they are due, less a head start for their priority. due_at: when a scheduled one is
-- queued. blocked: another job with its concurrency key is claimed. holder: who claimed it last, as actors are written. lease_ms:
-- what was asked for. lease_until: without another heartbeat. deadline_at: when a claimed one is given back. claims: how
-- often it was claimed, with claims that count as no attempt. last_attempt: the number of the last one there is to be. input, output, data,
-- error_details: JSON.
CREATE TABLE job (
    id              TEXT PRIMARY KEY,
    organization_id TEXT    NOT NULL,
    queue_id        TEXT    NOT NULL REFERENCES queue (id),
    habitat_id      TEXT    NOT NULL,
    job_type        TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    status_reason   TEXT,
    priority        TEXT    NOT NULL,
    place           BIGINT  NOT NULL,
    due_at          BIGINT,
    blocked         BIGINT  NOT NULL DEFAULT 0,
    input           TEXT,
    output          TEXT,
    data            TEXT,
    ce_type         TEXT,
    ce_source       TEXT,
    ce_subject      TEXT,
    route_id        TEXT,
    bundle          TEXT,
    bundle_digest   TEXT,
    dedupe_key      TEXT,
    concurrency_key TEXT,
    not_before      BIGINT,
    attempt         BIGINT  NOT NULL DEFAULT 0,
    claims          BIGINT  NOT NULL DEFAULT 0,
    last_attempt    BIGINT  NOT NULL,
    worker_id       TEXT,
    holder          TEXT,
    lease_ms        BIGINT,
    claimed_at      BIGINT,
    lease_until     BIGINT,
    deadline_at     BIGINT,
    started_at      BIGINT,
    completed_at    BIGINT,
    error_code      TEXT,
    error_message   TEXT,
    error_details   TEXT,
    created_at      BIGINT  NOT NULL,
    created_by      TEXT    NOT NULL,
    updated_at      BIGINT
);
CREATE INDEX job_ready ON job (queue_id, place, id) WHERE status = 'queued' AND blocked = 0;
CREATE INDEX job_blocked ON job (queue_id, concurrency_key, place, id) WHERE blocked = 1;
CREATE INDEX job_due ON job (due_at, id) WHERE status = 'scheduled';
CREATE INDEX job_deadline ON job (deadline_at, id) WHERE status IN ('claimed', 'running');
CREATE INDEX job_held ON job (queue_id, concurrency_key) WHERE status IN ('claimed', 'running');
CREATE UNIQUE INDEX job_dedupe ON job (queue_id, dedupe_key)
    WHERE dedupe_key IS NOT NULL AND status IN ('scheduled', 'queued', 'claimed', 'running');
CREATE INDEX job_of_status ON job (queue_id, status, id);
CREATE INDEX job_of_queue ON job (queue_id, id);
CREATE INDEX job_of_organization ON job (organization_id, id);
CREATE INDEX job_by_update ON job (organization_id, coalesce(updated_at, created_at), id);
CREATE INDEX job_finished ON job (queue_id, completed_at) WHERE completed_at IS NOT NULL;

-- Tries that ended. number: as the job counts them; a claim that was released has that of the try before it was one.
-- outcome: completed | failed | lost | timed-out | released | cancelled.
CREATE TABLE job_attempt (
    job_id        TEXT   NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    claim         BIGINT NOT NULL,
    number        BIGINT NOT NULL,
    worker_id     TEXT,
    holder        TEXT   NOT NULL,
    claimed_at    BIGINT NOT NULL,
    started_at    BIGINT,
    ended_at      BIGINT NOT NULL,
    outcome       TEXT   NOT NULL,
    error_code    TEXT,
    error_message TEXT,
    PRIMARY KEY (job_id, claim)
);

-- What workers said of how far they are; the last hundred of a job.
CREATE TABLE job_progress (
    job_id  TEXT   NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    number  BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    percent BIGINT,
    message TEXT,
    PRIMARY KEY (job_id, number)
);

-- Jobs that somebody released, who is not given them before `until`. times: how often in a row.
CREATE TABLE job_hidden (
    job_id    TEXT   NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    queue_id  TEXT   NOT NULL,
    principal TEXT   NOT NULL,
    until     BIGINT NOT NULL,
    times     BIGINT NOT NULL,
    PRIMARY KEY (job_id, principal)
);
CREATE INDEX job_hidden_from ON job_hidden (principal, queue_id, until);

-- How many jobs of a queue, or of an organization, are in a state: the sum over all shards, so that writers seldom
-- wait for each other.
CREATE TABLE job_count (
    scope_id TEXT   NOT NULL,
    status   TEXT   NOT NULL,
    shard    BIGINT NOT NULL,
    count    BIGINT NOT NULL,
    PRIMARY KEY (scope_id, status, shard)
);

-- Programs that work on jobs. runner_id: of the credential. holder: as actors are written. deadline_at: when it counts
-- as gone without another heartbeat.
CREATE TABLE worker (
    id              TEXT PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    habitat_id      TEXT   NOT NULL,
    runner_id       TEXT   NOT NULL,
    holder          TEXT   NOT NULL,
    instance_id     TEXT   NOT NULL,
    name            TEXT,
    worker_type     TEXT   NOT NULL,
    client_version  TEXT,
    client_metadata TEXT,
    current_job_id  TEXT,
    jobs_completed  BIGINT NOT NULL DEFAULT 0,
    jobs_failed     BIGINT NOT NULL DEFAULT 0,
    registered_at   BIGINT NOT NULL,
    deadline_at     BIGINT NOT NULL,
    deregistered_at BIGINT,
    reason          TEXT
);
CREATE INDEX worker_of_organization ON worker (organization_id, id);
CREATE UNIQUE INDEX worker_live ON worker (organization_id, holder, instance_id) WHERE deregistered_at IS NULL;
CREATE INDEX worker_of_habitat ON worker (habitat_id, deadline_at) WHERE deregistered_at IS NULL;

-- Times at which jobs are made. next_at: NULL: never again, or it is not enabled. disabled: why the service disabled it.
CREATE TABLE schedule (
    id         TEXT PRIMARY KEY,
    queue_id   TEXT    NOT NULL REFERENCES queue (id) ON DELETE CASCADE,
    name       TEXT    NOT NULL,
    cron       TEXT    NOT NULL,
    time_zone  TEXT    NOT NULL,
    input      TEXT,
    job_type   TEXT    NOT NULL,
    enabled    BIGINT  NOT NULL,
    next_at    BIGINT,
    last_at    BIGINT,
    created_at BIGINT  NOT NULL,
    created_by TEXT    NOT NULL,
    updated_at BIGINT,
    disabled   TEXT
);
CREATE INDEX schedule_of_queue ON schedule (queue_id, id);
CREATE INDEX schedule_by_time ON schedule (next_at) WHERE next_at IS NOT NULL;

-- Events that become jobs. event_types: each on a line. seq: up to which event of the organization it has been looked at.
-- disabled: why the service disabled it.
CREATE TABLE job_route (
    id              TEXT PRIMARY KEY,
    organization_id TEXT    NOT NULL REFERENCES organization (id),
    queue_id        TEXT    NOT NULL REFERENCES queue (id) ON DELETE CASCADE,
    name            TEXT    NOT NULL,
    event_types     TEXT    NOT NULL,
    subject         TEXT,
    input_template  TEXT,
    enabled         BIGINT  NOT NULL,
    disabled        TEXT,
    last_error      TEXT,
    seq             BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    created_by      TEXT    NOT NULL,
    updated_at      BIGINT
);
CREATE INDEX job_route_of_organization ON job_route (organization_id, id);
CREATE INDEX job_route_of_queue ON job_route (queue_id);

-- what nodes tell each other ------------------------------------------------------------------------------------------

-- What committed transactions changed of what nodes keep in memory, for the other nodes:
-- each looks here twice a second, and on a hint. Rows are only inserted, and deleted after a minute; SQLite, which has one node, has none.
-- xact: the transaction. Its number says by a snapshot whether a node has seen the row; time and sequences would not, as
-- transactions commit in another order than they begin.
CREATE TABLE announcement (
    xact   ${transaction},
    change TEXT NOT NULL
);
CREATE INDEX announcement_by_transaction ON announcement (xact);

-- What nodes took of rate limits, for one another: kept for seconds. number: counts up on each node.
-- xact: the transaction of the row, as in announcement.
CREATE ${unlogged}TABLE rate_use (
    node       TEXT   NOT NULL,
    number     BIGINT NOT NULL,
    policy     TEXT   NOT NULL,
    holder     TEXT   NOT NULL,
    taken      BIGINT NOT NULL,
    written_at BIGINT NOT NULL,
    xact       ${transaction},
    PRIMARY KEY (node, number)
);
CREATE INDEX rate_use_by_age ON rate_use (written_at);
CREATE INDEX rate_use_by_transaction ON rate_use (xact);

-- The sums of a moment. uses: a line for each policy and holder: policy, holder, taken.
CREATE ${unlogged}TABLE rate_round (
    number     BIGINT PRIMARY KEY,
    uses       TEXT   NOT NULL,
    written_at BIGINT NOT NULL
);

-- One row, which the node that sums up locks. round: the number of the last round. upto: the snapshot that it saw.
CREATE ${unlogged}TABLE rate_fold (
    id         BIGINT PRIMARY KEY,
    round      BIGINT NOT NULL,
    upto       TEXT   NOT NULL,
    written_at BIGINT NOT NULL
);

${only_here}
