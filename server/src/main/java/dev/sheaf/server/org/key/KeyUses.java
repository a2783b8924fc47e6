package dev.sheaf.server.org.key;

import dev.sheaf.server.db.Database;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Remembers when keys were used, and from where, and writes it down off the request path, at most once a minute for a
/// key.
/// Thread-safe.
public final class KeyUses {
    private static final long EVERY_SECONDS = 60;

    private final Database database;
    private final ConcurrentHashMap<UUID, LastUse> pending = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UUID, Instant> written = new ConcurrentHashMap<>();

    public KeyUses(Database database) {
        this.database = database;
    }

    /// Notes a use; returns at once.
    public void used(UUID keyId, InetAddress from) {
        Instant now = database.now();
        Instant last = written.get(keyId);
        if (last == null || now.isAfter(last.plusSeconds(EVERY_SECONDS))) {
            pending.put(keyId, new LastUse(keyId, now, from.isAnyLocalAddress() ? null : from.getHostAddress()));
        }
    }

    /// Writes what was noted; called by a timer and at the end.
    public void flush() {
        var uses = List.copyOf(pending.values());
        if (uses.isEmpty()) {
            return;
        }
        database.write(tx -> {
            uses.forEach(use -> ApiKeyRows.used(tx, use));
            return uses.size();
        });
        uses.forEach(use -> {
            pending.remove(use.keyId(), use);
            written.put(use.keyId(), use.at());
        });
    }

    /// @param from the address of the client; null: it is not known
    record LastUse(UUID keyId, Instant at, @Nullable String from) {}
}
