package dev.sheaf.server.db;

/// Makes the database refuse to change or delete audit entries, except during a restore. This guards against
/// accidents: somebody who can change the schema can remove it, but the hash chain shows that.
final class AuditGuard {
    static final String SQLITE = """
            CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
            WHEN NOT EXISTS (SELECT 1 FROM setting WHERE name = 'restore-unfinished')
            BEGIN
                SELECT RAISE (ABORT, 'the audit log is append-only');
            END;
            CREATE TRIGGER audit_is_sealed_once BEFORE UPDATE OF seq, hash ON audit
            WHEN OLD.seq IS NOT NULL
            BEGIN
                SELECT RAISE (ABORT, 'the audit log is append-only');
            END;
            CREATE TRIGGER audit_is_append_only
            BEFORE UPDATE OF id, organization_id, actor, actor_name, action, subject, outcome, detail, times, address,
                             request_id, created_at ON audit
            BEGIN
                SELECT RAISE (ABORT, 'the audit log is append-only');
            END;
            """;

    static final String POSTGRES = """
            CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $refuse$
            BEGIN
                IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM setting WHERE name = 'restore-unfinished') THEN
                    RETURN OLD;
                END IF;
                RAISE EXCEPTION 'the audit log is append-only';
            END
            $refuse$;
            CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuse();
            CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit EXECUTE FUNCTION audit_refuse();
            CREATE TRIGGER audit_is_sealed_once BEFORE UPDATE OF seq, hash ON audit
                FOR EACH ROW WHEN (OLD.seq IS NOT NULL) EXECUTE FUNCTION audit_refuse();
            CREATE TRIGGER audit_is_append_only
                BEFORE UPDATE OF id, organization_id, actor, actor_name, action, subject, outcome, detail, times, address,
                                 request_id, created_at ON audit
                FOR EACH ROW EXECUTE FUNCTION audit_refuse();
            """;

    private AuditGuard() {}
}
