package dev.sheaf.server.http.policy;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.rate.Holder;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Limits how many requests of one caller run at the same time; the others wait and are not refused. The
/// scheduler runs requests in the order of their arrival. Without this queue, a hundred small requests of one
/// caller would delay the next caller's request. Thread-safe.
public final class CallerQueue {
    private static final long RETRY_SECONDS = 5;

    private final int places;
    private final ConcurrentHashMap<Holder, Row> rows = new ConcurrentHashMap<>();

    private static final class Row {
        final Semaphore free;
        int inside; // in progress or waiting

        Row(int places) {
            this.free = new Semaphore(places, true);
        }
    }

    public CallerQueue(int places) {
        this.places = places;
    }

    /// @param patience how long the work may wait, in nanoseconds; zero for no limit
    /// @throws dev.sheaf.model.ProblemException service-unavailable if the wait is too long or interrupted
    public <T> T pass(Holder holder, long patience, Supplier<T> work) {
        var row = rows.compute(holder, (missing, known) -> {
            var its = known == null ? new Row(places) : known;
            its.inside++;
            return its;
        });
        try {
            if (!row.free.tryAcquire(patience > 0 ? patience : Long.MAX_VALUE, TimeUnit.NANOSECONDS)) {
                throw tooLong();
            }
            try {
                return work.get();
            } finally {
                row.free.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw tooLong();
        } finally {
            rows.computeIfPresent(holder, (same, its) -> --its.inside == 0 ? null : its);
        }
    }

    private static ProblemException tooLong() {
        return new Problem.Unavailable("the request took too long; try again", RETRY_SECONDS).raise();
    }

    /// Returns the number of callers.
    int callers() {
        return rows.size();
    }
}
