-- When it was proved that the address of an account is its owner's: by an OpenID provider that has verified it, or by an
-- administrator, who made the account. NULL: by nobody; an invitation alone proves nothing, since its token is handed on.
ALTER TABLE account ADD COLUMN email_proved_at BIGINT;

UPDATE account SET email_proved_at = created_at WHERE created_by <> 'invitation';
