package dev.sheaf.server.maintenance;

import dev.sheaf.server.db.Database;
import java.util.LinkedHashMap;
import java.util.Map;

/// Counts the content of the installation. Thread-safe.
public final class Stats {
    private final Database database;

    public Stats(Database database) {
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
        stats.putAll(database.read(StatsRows::count));
        return stats;
    }
}
