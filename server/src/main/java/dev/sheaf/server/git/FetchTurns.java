package dev.sheaf.server.git;

import dev.sheaf.model.Problem;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Lets only a few fetches of a caller run at the same time; the others wait and are not refused, because git does not
/// try again. Thread-safe.
final class FetchTurns {
    private static final long RETRY_SECONDS = 5;

    private final int places;
    private final ConcurrentHashMap<Object, Row> rows = new ConcurrentHashMap<>();

    private static final class Row {
        final Semaphore free;
        int inside; // in progress or waiting

        Row(int places) {
            this.free = new Semaphore(places, true);
        }
    }

    FetchTurns(int places) {
        this.places = places;
    }

    /// @throws dev.sheaf.model.ProblemException service-unavailable if the wait is interrupted
    <T> T take(Object caller, Supplier<T> work) {
        var row = rows.compute(caller, (missing, known) -> {
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
            rows.computeIfPresent(caller, (same, its) -> --its.inside == 0 ? null : its);
        }
    }
}
