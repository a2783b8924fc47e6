package dev.sheaf.server.queue.job;

import java.util.Locale;

/// The outcome of an attempt.
public enum AttemptOutcome {
    COMPLETED,
    FAILED,
    /// The lease ran out.
    LOST,
    /// The attempt ran for longer than its queue allows.
    TIMED_OUT,
    RELEASED,
    CANCELLED;

    /// Returns the word in the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
