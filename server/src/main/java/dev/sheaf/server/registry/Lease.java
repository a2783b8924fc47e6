package dev.sheaf.server.registry;

import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;

/// How long what was pushed is safe from the collector while nothing refers to it yet.
final class Lease {
    private static final Duration LENGTH = Duration.ofHours(24);

    private Lease() {}

    static Instant until(Tx tx) {
        return tx.now().plus(LENGTH);
    }
}
