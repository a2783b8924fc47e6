package dev.sheaf.server.rate;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.wire.admin.OperationsReport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/// Counts the nodes of an installation, so that each grants its share of the rate limits. The others count a node that
/// starts within [#EVERY], and leave out one that stopped after [#MISSED]. While the database does not answer, the last
/// count holds.
public final class NodeCount {
    /// How often the owner calls [#run].
    public static final Duration EVERY = Duration.ofSeconds(5);

    static final Duration MISSED = Duration.ofSeconds(15);
    private static final Duration KEPT = Duration.ofMinutes(10);
    private static final int MOST = 100;

    private final Database database;
    private final RateLimits rates;
    private final Supplier<OperationsReport.Node> own;
    private final String node = UUID.randomUUID().toString();

    /// @param own the description of this node
    public NodeCount(Database database, RateLimits rates, Supplier<OperationsReport.Node> own) {
        this.database = database;
        this.rates = rates;
        this.own = own;
    }

    /// Returns the nodes that run, by name.
    public static List<OperationsReport.Node> running(Database database) {
        return database.read(tx -> NodeRows.list(tx, tx.now().minus(MISSED), MOST));
    }

    /// Says that this node runs, and counts all that do. Not thread-safe.
    public void run() {
        var now = own.get();
        rates.share(database.write(tx -> {
            NodeRows.write(tx, node, now);
            NodeRows.deleteBefore(tx, tx.now().minus(KEPT));
            return NodeRows.count(tx, tx.now().minus(MISSED));
        }));
    }
}
