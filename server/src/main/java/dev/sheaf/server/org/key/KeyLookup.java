package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.Database;
import dev.sheaf.server.auth.KeyRecord;
import dev.sheaf.server.auth.KnownCredentials;
import dev.sheaf.server.auth.secret.PepperRing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// Finds keys by their secrets. Thread-safe.
public final class KeyLookup implements KnownCredentials.KeySource {
    private final Database database;
    private final ConcurrentHashMap<UUID, PepperRing.Hashed> rehashed = new ConcurrentHashMap<>();

    public KeyLookup(Database database) {
        this.database = database;
    }

    @Override
    public Optional<KnownCredentials.StoredKey> find(List<String> hashes) {
        return database.read(tx -> ApiKeyRows.bySecret(tx, hashes));
    }

    @Override
    public Optional<KeyRecord> findById(UUID id) {
        return database.read(tx -> ApiKeyRows.record(tx, id));
    }

    @Override
    public boolean rehash(UUID id, PepperRing.Hashed hash) {
        return rehashed.putIfAbsent(id, hash) == null;
    }

    /// Stores the new hashes. Called by a timer, and when the node stops.
    public void flush() {
        var now = Map.copyOf(rehashed);
        if (now.isEmpty()) {
            return;
        }
        database.write(tx -> {
            now.forEach((id, hash) -> ApiKeyRows.rehash(tx, id, hash));
            return now.size();
        });
        now.forEach(rehashed::remove);
    }
}
