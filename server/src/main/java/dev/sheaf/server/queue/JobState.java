package dev.sheaf.server.queue;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.WireWords;
import java.util.Locale;
import java.util.Set;

/// The state of a job.
public enum JobState {
    /// The job is due later, for its first or a further attempt.
    SCHEDULED,
    /// The job can be claimed.
    QUEUED,
    /// A worker has claimed the job but not started it.
    CLAIMED,
    /// A worker has started the job.
    RUNNING,
    COMPLETED,
    /// The worker reported that further attempts are useless.
    FAILED,
    /// All attempts are used up.
    DEAD,
    CANCELLED;

    private static final Set<JobState> WAITING = Set.of(SCHEDULED, QUEUED);
    private static final Set<JobState> HELD = Set.of(CLAIMED, RUNNING);

    /// Returns whether a job in this state waits for a worker.
    public boolean isWaiting() {
        return WAITING.contains(this);
    }

    /// Returns whether a worker holds a job in this state.
    public boolean isHeld() {
        return HELD.contains(this);
    }

    public boolean isFinished() {
        return !isWaiting() && !isHeld();
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed if the state does not exist
    public static JobState parse(String word) {
        return WireWords.find(JobState.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(JobState.class)));
    }

    /// Returns the word in the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
