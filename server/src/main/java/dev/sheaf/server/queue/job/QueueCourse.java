package dev.sheaf.server.queue.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// How the jobs of a queue came and ended in slots of a period that ends now.
///
/// @param from the beginning of the first slot
/// @param slot the length of a slot
/// @param enqueued the number of jobs that came in, by slot
/// @param finished the number of jobs that ended
/// @param failed the part of `finished` that failed or is dead
public record QueueCourse(Instant from, Duration slot, List<Long> enqueued, List<Long> finished, List<Long> failed) {
    public QueueCourse {
        enqueued = List.copyOf(enqueued);
        finished = List.copyOf(finished);
        failed = List.copyOf(failed);
    }
}
