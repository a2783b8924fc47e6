package dev.sheaf.server.queue;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Words;
import java.util.Locale;

/// What a queue does with jobs.
public enum QueueStatus {
    /// Takes them and hands them out.
    ACTIVE,
    /// Takes them only.
    PAUSED,
    /// Neither; its history stays.
    ARCHIVED;

    /// @throws dev.sheaf.model.ProblemException validation-failed where there is no such word
    public static QueueStatus parse(String word) {
        return Words.find(QueueStatus.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", Words.oneOf(QueueStatus.class)));
    }

    /// The word of the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
