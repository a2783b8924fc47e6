package dev.sheaf.server.queue.job;

import java.util.Locale;

/// How a try of a job ended.
public enum Outcome {
    COMPLETED,
    FAILED,
    /// Its lease ran out.
    LOST,
    /// It ran for longer than its queue allows.
    TIMED_OUT,
    RELEASED,
    CANCELLED;

    /// The word of the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
