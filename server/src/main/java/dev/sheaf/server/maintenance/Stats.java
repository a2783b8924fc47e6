package dev.sheaf.server.maintenance;

import dev.sheaf.server.db.Database;
import java.util.LinkedHashMap;
import java.util.Map;

/// How much the installation holds. Thread-safe.
public final class Stats {
    private final Database database;

    public Stats(Database database) {
        this.database = database;
    }

    /// Counts by name, all of one moment. `linkedBytes` is what the repositories hold, each for itself; `blobBytes`
    /// is what that takes, since each blob is stored once.
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
