package dev.sheaf.client.work;

import dev.sheaf.model.wire.queue.Execution;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long the work on a job may take.
record TimeLimit(Duration time) {
    /// Returns the stricter limit of the queue and of its constraints.
    ///
    /// @param execution null if the job cannot be run
    static TimeLimit of(@Nullable Execution execution) {
        if (execution == null || execution.timeoutMs() <= 0) {
            return new TimeLimit(Duration.ofMillis(Long.MAX_VALUE));
        }
        var constraints = execution.constraints();
        Long stricter = constraints == null ? null : constraints.timeoutMs();
        return new TimeLimit(Duration.ofMillis(
                stricter == null ? execution.timeoutMs() : Math.min(stricter, execution.timeoutMs())));
    }

    /// Returns the message for work that took longer: the limit, and what the work has said.
    ///
    /// @param failure how the handler ended; null if it returned
    String exceeded(@Nullable Throwable failure) {
        String said = failure instanceof StoppedException stopped ? String.valueOf(stopped.getMessage()) : "";
        long millis = time.toMillis();
        String limit = "the job ran for longer than its time limit of "
                + (millis % 1_000 == 0 ? time.toSeconds() + " s" : millis + " ms");
        return said.isBlank() ? limit : limit + ". Its last output:\n" + said.strip();
    }
}
