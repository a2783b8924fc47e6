package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;

/// Records a change of a bundle in its transaction: an event and an audit entry.
public final class BundleChanges {
    private BundleChanges() {}

    /// @param bundle determines who may see the event
    /// @param subject the bundle, or the part of it that changed
    public static void record(
            Tx tx, ChangeOrigin origin, Access.Target bundle, String action, Object subject, Event.AboutBundle event) {
        OutboxRows.emit(tx, origin, event, bundle.visibility() == Visibility.PUBLIC);
        AuditRows.record(tx, origin, action, subject.toString());
    }
}
