package dev.sheaf.server.queue.job;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.WireWords;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/// The priority of a job. It moves the job forward or back in its queue by a fixed time. So a job that has
/// waited long enough comes before a new urgent job, and no job waits forever.
public enum JobPriority {
    LOW(Duration.ofMinutes(-10)),
    NORMAL(Duration.ZERO),
    HIGH(Duration.ofMinutes(10)),
    URGENT(Duration.ofHours(1));

    private final Duration start;

    JobPriority(Duration start) {
        this.start = start;
    }

    /// Returns the position in the queue; the lowest is handed out first.
    public long place(Instant due) {
        return due.minus(start).toEpochMilli();
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed if the priority does not exist
    public static JobPriority parse(String word) {
        return WireWords.find(JobPriority.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(JobPriority.class)));
    }

    /// Returns the word in the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
