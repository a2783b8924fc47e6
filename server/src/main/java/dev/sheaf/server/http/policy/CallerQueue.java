package dev.sheaf.server.http.policy;

import dev.sheaf.model.Problem;
import dev.sheaf.server.rate.Holder;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Lets only so many reads of one caller be worked on at one time; the others wait, and none is refused. A processor
/// takes up what is ready in the order in which it came, so without this a hundred small requests from one place would
/// all come before the next one from elsewhere. Thread-safe.
public final class CallerQueue {
    private static final long RETRY_SECONDS = 5;

    private final int places;
    private final ConcurrentHashMap<Holder, Row> rows = new ConcurrentHashMap<>();

    private static final class Row {
        final Semaphore free;
        int inside; // or waiting

        Row(int places) {
            this.free = new Semaphore(places, true);
        }
    }

    public CallerQueue(int places) {
        this.places = places;
    }

    /// @throws dev.sheaf.model.ProblemException service-unavailable where the waiting is interrupted
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

    /// How many callers there are.
    int callers() {
        return rows.size();
    }
}
