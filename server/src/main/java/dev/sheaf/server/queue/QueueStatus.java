package dev.sheaf.server.queue;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.WireWords;
import java.util.Locale;

/// The state of a queue.
public enum QueueStatus {
    /// The queue accepts jobs and hands them out.
    ACTIVE,
    /// The queue accepts jobs but does not hand them out.
    PAUSED,
    /// The queue neither accepts jobs nor hands them out. Its history stays.
    ARCHIVED;

    /// @throws dev.sheaf.model.ProblemException validation-failed if the status does not exist
    public static QueueStatus parse(String word) {
        return WireWords.find(QueueStatus.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(QueueStatus.class)));
    }

    /// Returns the word in the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
