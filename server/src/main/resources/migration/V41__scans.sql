-- What findings in new versions change: the least severity (info | low | medium | high) with which a push is refused, and with which it
-- needs approval; null if none does. The columns next_...: as in V38. approvals and next_approvals are 0 if versions need no approval as
-- such.
ALTER TABLE review_policy ADD COLUMN scan_block TEXT;
ALTER TABLE review_policy ADD COLUMN scan_review TEXT;
ALTER TABLE review_policy ADD COLUMN next_scan_block TEXT;
ALTER TABLE review_policy ADD COLUMN next_scan_review TEXT;

-- The findings for which a push waits. severity: null for a file that was not read to its end. line: 0 for the whole file.
-- scanner: the one that reported it; null for the registry itself.
CREATE TABLE review_finding (
    review_id TEXT    NOT NULL REFERENCES review (id) ON DELETE CASCADE,
    place     INTEGER NOT NULL,
    rule      TEXT    NOT NULL,
    severity  TEXT,
    path      TEXT,
    line      INTEGER,
    text      TEXT    NOT NULL,
    advice    TEXT,
    scanner   TEXT,
    PRIMARY KEY (review_id, place)
);
-- The scanners of others that a policy asks, one a line: id, the organization that named it, name, hold or pass if it does not answer, its
-- sealed secret, its address.
ALTER TABLE review_policy ADD COLUMN scanners TEXT;
ALTER TABLE review_policy ADD COLUMN next_scanners TEXT;

-- What scanners of others are asked about pushes that wait. state: waiting | allow | review | block | unanswered. passes: 1 if no answer lets
-- the push pass. secret: sealed. token_hash: of the token with which the scanner reads the content and answers; null until it was asked.
CREATE TABLE review_scan (
    id          TEXT PRIMARY KEY,
    review_id   TEXT    NOT NULL REFERENCES review (id) ON DELETE CASCADE,
    round       INTEGER NOT NULL,
    scanner_id  TEXT    NOT NULL,
    scanner     TEXT    NOT NULL,
    url         TEXT    NOT NULL,
    passes      INTEGER NOT NULL,
    secret      TEXT    NOT NULL,
    state       TEXT    NOT NULL,
    token_hash  TEXT,
    token_until BIGINT,
    due_at      BIGINT  NOT NULL,
    ended_at    BIGINT
);
CREATE INDEX review_scan_by_review ON review_scan (review_id, round);
CREATE INDEX review_scan_unasked ON review_scan (due_at) WHERE state = 'waiting' AND token_hash IS NULL;
