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

-- Times at which jobs are made. next_at: NULL: never again, or it is not enabled.
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
    updated_at BIGINT
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

-- Events of jobs are kept for a shorter time than others.
CREATE INDEX event_of_jobs ON event (id) WHERE type LIKE 'job.%';
