package dev.sheaf.server.rate;

import dev.sheaf.engine.db.Database;
import java.time.Duration;
import java.util.UUID;

/// Counts the nodes of an installation, so that each grants its share of the rate limits. The others count a node that
/// starts within [#EVERY], and leave out one that stopped after [#MISSED]. While the database does not answer, the last
/// count holds.
public final class NodeCount {
    /// How often the owner calls [#run].
    public static final Duration EVERY = Duration.ofSeconds(5);

    static final Duration MISSED = Duration.ofSeconds(15);
    private static final Duration KEPT = Duration.ofMinutes(10);

    private final Database database;
    private final RateLimits rates;
    private final String node = UUID.randomUUID().toString();

    public NodeCount(Database database, RateLimits rates) {
        this.database = database;
        this.rates = rates;
    }

    /// Says that this node runs, and counts all that do. Not thread-safe.
    public void run() {
        rates.share(database.write(tx -> {
            NodeRows.write(tx, node);
            NodeRows.deleteBefore(tx, tx.now().minus(KEPT));
            return NodeRows.count(tx, tx.now().minus(MISSED));
        }));
    }
}
