package dev.sheaf.client.work;

import org.jspecify.annotations.Nullable;

/// The outcome of the work on a job. Immutable.
public sealed interface Outcome {
    /// The work is done.
    ///
    /// @param output a value that can be written as JSON, up to 256 KiB; null means no output
    record Completed(@Nullable Object output) implements Outcome {}

    /// The work failed.
    ///
    /// @param code a code for programs, such as `exit_1`
    /// @param message a message for people, cut to 8,000 characters
    /// @param details JSON, or null
    /// @param retry whether another attempt may help; then the job is retried if attempts are left
    record Failed(
            String code, @Nullable String message, @Nullable Object details, boolean retry) implements Outcome {}

    /// The job returns to its queue, and this attempt does not count. The same credential does not get the job
    /// for at least half a minute.
    record Released() implements Outcome {}

    /// Creates the outcome of successful work.
    static Outcome completed(@Nullable Object output) {
        return new Completed(output);
    }

    /// Creates a failure after which another attempt may help.
    static Outcome failed(String code, @Nullable String message) {
        return new Failed(code, message, null, true);
    }

    /// Creates a failure after which no other attempt would help.
    static Outcome failedForGood(String code, @Nullable String message) {
        return new Failed(code, message, null, false);
    }

    /// Creates the outcome of a worker that cannot do the job.
    static Outcome released() {
        return new Released();
    }
}
