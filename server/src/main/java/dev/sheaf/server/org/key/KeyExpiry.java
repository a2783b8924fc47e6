package dev.sheaf.server.org.key;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells owners of keys that end by themselves: 14 days before, 3 days before, and when it came. Each step once, by
/// an event and a line in the log; a key that was made for less than a step is not told of it, nor one that was
/// rotated, whose owners know. Any number of nodes may run it at the same time.
public final class KeyExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(KeyExpiry.class);
    private static final int AT_ONCE = 100;

    private final Database database;

    public KeyExpiry(Database database) {
        this.database = database;
    }

    /// Tells what is due.
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
}
