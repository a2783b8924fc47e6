package dev.sheaf.server.bundle;

import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;

/// What every change of a bundle leaves behind, in its transaction: an event and a row of the audit log.
public final class BundleChanges {
    private BundleChanges() {}

    /// @param subject the bundle, or what of it changed
    public static void record(Tx tx, Origin origin, String action, Object subject, Event event) {
        OutboxRows.emit(tx, origin.organizationId(), event);
        AuditRows.record(tx, origin, action, subject.toString());
    }
}
