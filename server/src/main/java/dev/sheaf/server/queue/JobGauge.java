package dev.sheaf.server.queue;

import dev.sheaf.server.db.Database;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How many jobs there are, for whoever watches the installation: asked for when somebody looks, and not oftener than
/// every five seconds. Thread-safe.
public final class JobGauge {
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOG = LoggerFactory.getLogger(JobGauge.class);

    private final Database database;
    private Map<JobState, Long> counts = Map.of();
    private long asked = System.nanoTime() - KEPT_NANOS;

    public JobGauge(Database database) {
        this.database = database;
    }

    /// Jobs by their state.
    public Map<String, DoubleSupplier> byState() {
        return Arrays.stream(JobState.values())
                .collect(Collectors.toMap(JobState::toString, state -> () -> count(state)));
    }

    private synchronized double count(JobState state) {
        if (System.nanoTime() - asked >= KEPT_NANOS) {
            asked = System.nanoTime();
            try {
                counts = database.read(JobCounts::all);
            } catch (RuntimeException e) { // whoever watches is told of the database by other figures
                LOG.debug("jobs could not be counted", e);
            }
        }
        return Math.max(0, counts.getOrDefault(state, 0L));
    }
}
