package dev.sheaf.server.audit;

import dev.sheaf.engine.db.Database;
import dev.sheaf.server.auth.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Collects refused privileged calls and writes them to the audit log outside the request path. Equal refusals
/// within a few seconds become one entry. If an actor has too many different refusals within a minute, the rest
/// become one entry too. Otherwise anyone with a worthless key could grow the log without bound, and nobody can
/// shorten it. Thread-safe.
public final class RefusedCalls {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedCalls.class);
    /// The maximum number of different refusals that wait to be written; further ones are only counted.
    private static final int MAX = 10_000;
    /// The maximum number of different refusals per actor and minute; further ones become one entry every few
    /// seconds.
    static final int MOST_OF_ONE = 50;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Database database;
    private final Map<AuditEntry, Seen> waiting = new LinkedHashMap<>();
    private final Map<String, Integer> different = new HashMap<>(); // by actor, since the minute began
    private Instant minute = Instant.MIN;
    private long dropped;

    private record Seen(String firstRequest, long times) {
        Seen plus(Seen more) {
            return new Seen(firstRequest, times + more.times);
        }
    }

    public RefusedCalls(Database database) {
        this.database = database;
    }

    /// Records a refusal; does not block.
    ///
    /// @param call method and path
    public void note(Caller.Known caller, String call, String why, String address, String requestId) {
        add(bounded(AuditEntry.refusal(caller, call, why, address)), new Seen(requestId, 1));
    }

    private synchronized AuditEntry bounded(AuditEntry entry) {
        var now = database.now();
        if (minute.equals(Instant.MIN) || !now.isBefore(minute.plus(MINUTE))) {
            minute = now;
            different.clear();
        }
        return waiting.containsKey(entry) || different.merge(entry.actor(), 1, Integer::sum) <= MOST_OF_ONE
                ? entry
                : entry.amongOthers();
    }

    private synchronized void add(AuditEntry entry, Seen seen) {
        if (waiting.size() < MAX || waiting.containsKey(entry)) {
            waiting.merge(entry, seen, Seen::plus);
        } else {
            dropped++;
        }
    }

    private synchronized Map<AuditEntry, Seen> take() {
        if (dropped > 0) {
            LOG.warn(
                    "{} refused calls are not in the audit log: too many different calls came at the same time",
                    dropped);
            dropped = 0;
        }
        var taken = Map.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    /// Writes the collected refusals. Called by a timer and at shutdown.
    public void flush() {
        var taken = take();
        if (taken.isEmpty()) {
            return;
        }
        try {
            database.write(tx -> {
                taken.forEach((entry, seen) -> AuditRows.insert(tx, entry.counted(seen.times(), seen.firstRequest())));
                return taken.size();
            });
        } catch (RuntimeException e) {
            taken.forEach(this::add);
            throw e;
        }
    }
}
