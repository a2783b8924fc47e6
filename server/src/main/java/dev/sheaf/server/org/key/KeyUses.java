package dev.sheaf.server.org.key;

import dev.sheaf.server.db.Database;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// Remembers when keys were used, and writes it down off the request path, at most once a minute for a key.
/// Thread-safe.
public final class KeyUses {
    private static final long EVERY_SECONDS = 60;

    private final Database database;
    private final ConcurrentHashMap<UUID, Instant> pending = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UUID, Instant> written = new ConcurrentHashMap<>();

    public KeyUses(Database database) {
        this.database = database;
    }

    /// Notes a use; returns at once.
    public void used(UUID keyId) {
        Instant now = database.now();
        Instant last = written.get(keyId);
        if (last == null || now.isAfter(last.plusSeconds(EVERY_SECONDS))) {
            pending.put(keyId, now);
        }
    }

    /// Writes what was noted; called by a timer and at the end.
    public void flush() {
        var uses = pending.entrySet().stream()
                .map(use -> new LastUse(use.getKey(), use.getValue()))
                .toList();
        if (uses.isEmpty()) {
            return;
        }
        database.write(tx -> {
            uses.forEach(use -> ApiKeyRows.used(tx, use.keyId(), use.at()));
            return uses.size();
        });
        uses.forEach(use -> {
            pending.remove(use.keyId(), use.at());
            written.put(use.keyId(), use.at());
        });
    }

    private record LastUse(UUID keyId, Instant at) {}
}
