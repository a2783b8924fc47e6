package dev.sheaf.server.queue.claim;

import dev.sheaf.server.input.Fields;
import dev.sheaf.server.queue.Numbers;
import dev.sheaf.server.queue.Slug;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Which jobs somebody wants to work on.
///
/// @param queueId null: any
/// @param habitatId null: any
/// @param lease null: as long as the queue says
/// @param max how many at once; null: one, which is answered by itself
public record ClaimRequest(
        @Nullable UUID queueId,
        @Nullable UUID habitatId,
        @Nullable Duration lease,
        @Nullable UUID workerId,
        @Nullable Integer max) {
    private static final int SHORTEST_MS = 5_000;
    private static final int LONGEST_MS = 600_000;
    private static final int MOST = 20;

    public static ClaimRequest parse(Fields fields) {
        if (fields.has("queueId") && fields.has("habitatId")) {
            fields.error("habitatId", "conflict", "cannot be given together with \"queueId\"");
        }
        return new ClaimRequest(
                id(fields, "queueId"),
                id(fields, "habitatId"),
                fields.has("leaseDurationMs")
                        ? Duration.ofMillis(Numbers.of(fields, "leaseDurationMs", SHORTEST_MS, LONGEST_MS, SHORTEST_MS))
                        : null,
                id(fields, "workerId"),
                fields.has("max") ? Numbers.of(fields, "max", 1, MOST, 1) : null);
    }

    private static @Nullable UUID id(Fields fields, String name) {
        return fields.optional(name, Slug::parseId);
    }
}
