package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.Database;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Records the time and client address of the last use of keys. Stores them outside of requests, at most once a
/// minute for each key. Thread-safe.
public final class KeyUses {
    private static final long EVERY_SECONDS = 60;

    private final Database database;
    private final ConcurrentHashMap<UUID, LastUse> pending = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UUID, Instant> written = new ConcurrentHashMap<>();

    public KeyUses(Database database) {
        this.database = database;
    }

    /// Records a use without waiting for the database.
    public void used(UUID keyId, InetAddress from) {
        Instant now = database.now();
        Instant last = written.get(keyId);
        if (last == null || now.isAfter(last.plusSeconds(EVERY_SECONDS))) {
            pending.put(keyId, new LastUse(keyId, now, from.isAnyLocalAddress() ? null : from.getHostAddress()));
        }
    }

    /// Stores the recorded uses. Called by a timer, and when the node stops.
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

    /// @param from the address of the client; null if it is not known
    record LastUse(UUID keyId, Instant at, @Nullable String from) {}
}
