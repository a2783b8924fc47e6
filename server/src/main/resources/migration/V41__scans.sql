-- What findings in new versions change: the least severity (info | low | medium | high) with which a push is refused, and with which it
-- needs approval; null if none does. The columns next_...: as in V38. approvals and next_approvals are 0 if versions need no approval as
-- such.
ALTER TABLE review_policy ADD COLUMN scan_block TEXT;
ALTER TABLE review_policy ADD COLUMN scan_review TEXT;
ALTER TABLE review_policy ADD COLUMN next_scan_block TEXT;
ALTER TABLE review_policy ADD COLUMN next_scan_review TEXT;

-- The findings for which a push waits. severity: null for a file that was not read to its end. line: 0 for the whole file.
CREATE TABLE review_finding (
    review_id TEXT    NOT NULL REFERENCES review (id) ON DELETE CASCADE,
    place     INTEGER NOT NULL,
    rule      TEXT    NOT NULL,
    severity  TEXT,
    path      TEXT,
    line      INTEGER,
    text      TEXT    NOT NULL,
    advice    TEXT,
    PRIMARY KEY (review_id, place)
);
