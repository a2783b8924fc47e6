-- The rules by which pushes need no approval by people, one a line: see AutoRule. requires_approved: 1 if versions may only require
-- approved ones. The columns next_...: as in V38.
ALTER TABLE review_policy ADD COLUMN auto TEXT;
ALTER TABLE review_policy ADD COLUMN next_auto TEXT;
ALTER TABLE review_policy ADD COLUMN requires_approved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE review_policy ADD COLUMN next_requires_approved INTEGER;

-- review_decision.decision: approved | rejected | override (an owner published it although approvals were missing) | rule:<n> (a rule of
-- the policy approved it; then account_id is '').
CREATE INDEX review_published ON review (repository_id, precedence) WHERE state = 'published';
