package dev.sheaf.server.org;

import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.util.UUID;

/// The audit log: one row for every change, in the change's own transaction.
public final class AuditRows {
    private AuditRows() {}

    /// Who acts where somebody reports a credential; nobody knows more of them than the address.
    static final String LEAK_REPORT = "leak-report";

    /// @param action a dotted word such as `version.publish`
    public static void record(Tx tx, Origin origin, String action, String subject) {
        insert(tx, origin.organizationId(), origin.actor(), origin.address(), origin.requestId(), action, subject);
    }

    /// What came of a report by somebody who needed no credential.
    static void recordReport(
            Tx tx, UUID organizationId, String address, String requestId, String action, String subject) {
        insert(tx, organizationId, LEAK_REPORT, address, requestId, action, subject);
    }

    private static void insert(
            Tx tx, UUID organizationId, String actor, String address, String requestId, String action, String subject) {
        tx.handle()
                .createUpdate("""
                        INSERT INTO audit (id, organization_id, actor, action, subject, address, request_id, created_at)
                        VALUES (:id, :organization, :actor, :action, :subject, :address, :request, :now)
                        """)
                .bind("id", Ids.next(tx.now()))
                .bind("organization", organizationId)
                .bind("actor", actor)
                .bind("action", action)
                .bind("subject", subject)
                .bind("address", address)
                .bind("request", requestId)
                .bind("now", tx.now())
                .execute();
    }
}
