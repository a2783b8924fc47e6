package dev.sheaf.server.http.policy;

import dev.sheaf.model.Problem;
import dev.sheaf.server.rate.Holder;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Limits how many reads of one caller are in progress at a time; the others wait, and none is refused. The
/// scheduler runs requests in the order of their arrival. Without this, a hundred small requests of one caller
/// would all come before the next one of another caller. Thread-safe.
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

    /// @throws dev.sheaf.model.ProblemException service-unavailable if the waiting is interrupted
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
            throw new Problem.Unavailable("the request took too long", RETRY_SECONDS).raise();
        } finally {
            rows.computeIfPresent(holder, (same, its) -> --its.inside == 0 ? null : its);
        }
    }

    /// Returns the number of callers.
    int callers() {
        return rows.size();
    }
}
