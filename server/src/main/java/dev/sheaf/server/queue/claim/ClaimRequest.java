package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.server.queue.NumberBounds;
import dev.sheaf.server.queue.QueueSlug;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A request to claim jobs.
///
/// @param queueId null for any
/// @param habitatId null for any
/// @param lease null for the lease of the queue
/// @param max the limit of jobs in the answer; null for one job, which is answered as a single object
public record ClaimRequest(
        @Nullable UUID queueId,
        @Nullable UUID habitatId,
        @Nullable Duration lease,
        @Nullable UUID workerId,
        @Nullable Integer max) {
    private static final int SHORTEST_MS = 5_000;
    private static final int LONGEST_MS = 600_000;
    private static final int MOST = 20;

    public static ClaimRequest parse(RequestFields fields) {
        var queue = id(fields, "queueId");
        var habitat = id(fields, "habitatId");
        if (fields.has("queueId") && fields.has("habitatId")) { // an invalid id is reported first
            fields.error("habitatId", "conflict", "cannot be sent together with \"queueId\"");
        }
        return new ClaimRequest(
                queue,
                habitat,
                fields.has("leaseDurationMs")
                        ? Duration.ofMillis(
                                NumberBounds.of(fields, "leaseDurationMs", SHORTEST_MS, LONGEST_MS, SHORTEST_MS))
                        : null,
                id(fields, "workerId"),
                fields.has("max") ? NumberBounds.of(fields, "max", 1, MOST, 1) : null);
    }

    private static @Nullable UUID id(RequestFields fields, String name) {
        return fields.optional(name, QueueSlug::parseId);
    }
}
