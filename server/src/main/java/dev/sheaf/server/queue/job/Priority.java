package dev.sheaf.server.queue.job;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/// How much earlier than it is due a job stands in its queue. So what waits long enough comes before what is urgent and
/// new, and nothing waits for ever.
public enum Priority {
    LOW(Duration.ofMinutes(-10)),
    NORMAL(Duration.ZERO),
    HIGH(Duration.ofMinutes(10)),
    URGENT(Duration.ofHours(1));

    private final Duration start;

    Priority(Duration start) {
        this.start = start;
    }

    /// By which jobs are handed out, the lowest first.
    public long place(Instant due) {
        return due.minus(start).toEpochMilli();
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed where there is no such word
    public static Priority parse(String word) {
        return Words.find(Priority.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", Words.oneOf(Priority.class)));
    }

    /// The word of the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
