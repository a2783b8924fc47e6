package dev.sheaf.server.schema;

/// Makes the database refuse to change or delete audit entries, except during a restore and after the retention
/// time: then up to the number at the start of the setting `audit-start`, the last entry that was removed. This guards
/// against accidents: somebody who can change the schema can remove it, but the hash chain shows
/// that.
final class AuditGuard {
    static final String SQLITE = """
            CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
            WHEN NOT EXISTS (SELECT 1 FROM setting WHERE name = 'restore-unfinished')
             AND COALESCE(OLD.seq > (SELECT CAST(substr(value, 1, instr(value, ':') - 1) AS INTEGER)
                                     FROM setting WHERE name = 'audit-start'), 1)
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
                IF TG_OP = 'DELETE' THEN
                    IF OLD.seq <= (SELECT CAST(split_part(value, ':', 1) AS BIGINT) FROM setting
                                   WHERE name = 'audit-start')
                       OR EXISTS (SELECT 1 FROM setting WHERE name = 'restore-unfinished') THEN
                        RETURN OLD;
                    END IF;
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
