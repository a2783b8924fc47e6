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
