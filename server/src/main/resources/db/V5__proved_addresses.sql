-- When a provider proved that the address of an account is its owner's, where the account was made by an invitation: that
-- alone proves nothing, since its token is handed on. NULL: not yet.
ALTER TABLE account ADD COLUMN email_proved_at BIGINT;
