-- time_zone: of the IANA database, in which pages show times to a person; null: UTC.
ALTER TABLE account ADD COLUMN time_zone TEXT;

-- last_used_from: the address of the client that used a key last.
ALTER TABLE api_key ADD COLUMN last_used_from TEXT;

-- What one person or key did, in all organizations.
CREATE INDEX audit_by_actor ON audit (actor, id);
