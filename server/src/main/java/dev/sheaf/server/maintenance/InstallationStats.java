package dev.sheaf.server.maintenance;

import dev.sheaf.engine.db.Database;
import java.util.LinkedHashMap;
import java.util.Map;

/// Counts the content of the installation. Thread-safe.
public final class InstallationStats {
    private final Database database;

    public InstallationStats(Database database) {
        this.database = database;
    }

    /// Returns counts by name, all from the same moment. `linkedBytes` adds up the bytes of each repository;
    /// `blobBytes` counts each blob once, as it is stored.
    public Map<String, Object> read() {
        var stats = new LinkedHashMap<String, Object>();
        stats.put(
                "engine",
                switch (database.dialect()) {
                    case SQLITE -> "sqlite";
                    case POSTGRES -> "postgresql";
                });
        stats.putAll(database.read(tx -> StatsRows.count(tx)));
        return stats;
    }

    /// Returns one of the counts, such as `blobs`; also `sessions` of people who are signed in, and `straysAside`,
    /// the stored objects that are set aside.
    public long count(String name) {
        return database.read(tx -> StatsRows.count(tx, name));
    }
}
