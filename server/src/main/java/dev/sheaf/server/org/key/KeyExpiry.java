package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notifies owners when keys expire: 14 days before, 3 days before, and at the end. Each notification is sent
/// once, as an event and a line in the log. A notification is skipped if the key's whole lifetime is shorter
/// than its period. Keys that were rotated get only the one at the end. Several nodes may run this at the same
/// time.
public final class KeyExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(KeyExpiry.class);
    private static final int AT_ONCE = 100;

    private final Database database;

    public KeyExpiry(Database database) {
        this.database = database;
    }

    /// Sends the notifications that are due.
    public void run() {
        List<KeyExpiryRows.Due> told;
        do {
            told = database.write(KeyExpiry::tell);
            told.forEach(KeyExpiry::log);
        } while (told.size() == AT_ONCE);
    }

    private static List<KeyExpiryRows.Due> tell(Tx tx) {
        var due = KeyExpiryRows.due(tx, AT_ONCE).stream()
                .filter(key -> KeyExpiryRows.told(tx, key))
                .toList();
        for (var key : due) {
            OutboxRows.emit(
                    tx,
                    key.organizationId(),
                    key.daysLeft() == 0
                            ? new Event.ApiKeyExpired(
                                    key.id(), key.name(), key.endsAt().toString())
                            : new Event.ApiKeyExpiring(
                                    key.id(), key.name(), key.endsAt().toString(), (int) key.daysLeft()));
        }
        return due;
    }

    private static void log(KeyExpiryRows.Due key) {
        if (key.daysLeft() == 0) {
            LOG.info("API key {} ({}) has expired", key.id(), key.hint());
        } else {
            LOG.warn("API key {} ({}) expires at {}; rotate it", key.id(), key.hint(), key.endsAt());
        }
    }

    /// Deletes keys that ended before a moment.
    ///
    /// @return how many; fewer than `limit` if no more are due
    public static int removeEnded(Tx tx, Instant before, int limit) {
        return KeyExpiryRows.removeEnded(tx, before, limit);
    }
}
