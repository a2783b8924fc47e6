package dev.sheaf.server.org;

import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;

/// The audit log: one row for every change, in the change's own transaction.
public final class AuditRows {
    private AuditRows() {}

    /// @param action a dotted word such as `version.publish`
    public static void record(Tx tx, Origin origin, String action, String subject) {
        tx.handle()
                .createUpdate("""
                        INSERT INTO audit (id, organization_id, actor, action, subject, address, request_id, created_at)
                        VALUES (:id, :organization, :actor, :action, :subject, :address, :request, :now)
                        """)
                .bind("id", Ids.next(tx.now()))
                .bind("organization", origin.organizationId())
                .bind("actor", origin.actor())
                .bind("action", action)
                .bind("subject", subject)
                .bind("address", origin.address())
                .bind("request", origin.requestId())
                .bind("now", tx.now())
                .execute();
    }
}
