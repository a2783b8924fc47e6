-- organization_id: whose quota the bytes of an upload count against while it is open; NULL: one that a node began which
-- did not know the column.
ALTER TABLE upload ADD COLUMN organization_id TEXT;
UPDATE upload SET organization_id =
    (SELECT n.organization_id FROM repository r JOIN namespace n ON n.name = r.namespace WHERE r.id = upload.repository_id);
CREATE INDEX upload_by_organization ON upload (organization_id, expires_at);

-- reference: the path at which an answer can be read that was too large to be kept; its body is empty then.
ALTER TABLE idempotent_request ADD COLUMN reference TEXT;
