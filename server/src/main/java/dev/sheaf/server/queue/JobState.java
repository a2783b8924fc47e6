package dev.sheaf.server.queue;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Words;
import java.util.Locale;
import java.util.Set;

/// What has become of a job.
public enum JobState {
    /// It is due later: it was asked for then, or is tried again then.
    SCHEDULED,
    /// It may be claimed.
    QUEUED,
    /// A worker has it and has not begun.
    CLAIMED,
    /// A worker has begun it.
    RUNNING,
    COMPLETED,
    /// Its worker said that trying again is of no use.
    FAILED,
    /// Its tries are used up.
    DEAD,
    CANCELLED;

    private static final Set<JobState> WAITING = Set.of(SCHEDULED, QUEUED);
    private static final Set<JobState> HELD = Set.of(CLAIMED, RUNNING);

    /// Nobody has it, and somebody will.
    public boolean isWaiting() {
        return WAITING.contains(this);
    }

    /// A worker has it.
    public boolean isHeld() {
        return HELD.contains(this);
    }

    public boolean isFinished() {
        return !isWaiting() && !isHeld();
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed where there is no such word
    public static JobState parse(String word) {
        return Words.find(JobState.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", Words.oneOf(JobState.class)));
    }

    /// The word of the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
