package dev.sheaf.server.http.policy;

import dev.sheaf.model.Problem;
import dev.sheaf.server.rate.Holder;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
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

    /// @throws dev.sheaf.model.ProblemException service-unavailable if the wait is interrupted
    public <T> T pass(Holder holder, Supplier<T> work) {
        var row = rows.compute(holder, (missing, known) -> {
            var its = known == null ? new Row(places) : known;
            its.inside++;
            return its;
        });
        try {
            row.free.acquire();
            try {
                return work.get();
            } finally {
                row.free.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem.Unavailable("the request took too long; try again", RETRY_SECONDS).raise();
        } finally {
            rows.computeIfPresent(holder, (same, its) -> --its.inside == 0 ? null : its);
        }
    }

    /// Returns the number of callers.
    int callers() {
        return rows.size();
    }
}
