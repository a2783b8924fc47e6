package dev.sheaf.server.testing;

import dev.sheaf.engine.db.Database;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a node keeps its rows and its bytes in. Every node of a test has a database and a bucket of its own.
public enum Stack {
    SQLITE,
    POSTGRES,
    POSTGRES_AND_BUCKET;

    /// A new, migrated database, without a node; the caller closes it.
    public Database open(Path folder, InstantSource clock) {
        return (this == SQLITE ? Databases.Kind.SQLITE : Databases.Kind.POSTGRES).open(folder, clock);
    }

    /// The settings of an installation that is yet to be made.
    ///
    /// @param folder the node's own
    public Map<String, String> settings(Path folder) {
        var flags = own(folder);
        if (this != SQLITE) {
            var settings = Databases.postgres();
            flags.put("database-url", settings.jdbcUrl());
            flags.put("database-user", settings.user());
            flags.put("database-password", settings.password().expose());
        }
        if (this == POSTGRES_AND_BUCKET) {
            flags.putAll(bucket());
            flags.put("master-key", MasterSecret.generate());
        }
        return flags;
    }

    /// The settings that every node has for itself.
    public static Map<String, String> own(Path folder) {
        var flags = new LinkedHashMap<>(Map.of("port", "0", "data-dir", folder.toString(), "min-free-bytes", "0"));
        flags.put("allowed-hosts", "h, x"); // what tests call the server that write their requests themselves
        for (String rate :
                List.of("anonymous-reads", "reads", "writes", "content", "runner", "failed-authentications")) {
            flags.put("rate-" + rate, "0");
        }
        return flags;
    }

    /// The settings of a new bucket.
    public static Map<String, String> bucket() {
        var bucket = Buckets.fresh();
        return Map.of(
                "s3-bucket",
                bucket.bucket(),
                "s3-endpoint",
                String.valueOf(bucket.endpoint()),
                "s3-access-key-id",
                Buckets.KEY_ID,
                "s3-secret-access-key",
                Buckets.SECRET,
                "s3-path-style",
                "true");
    }
}
