package dev.sheaf.client.work;

import org.jspecify.annotations.Nullable;

/// What came of the work on a job. Immutable.
public sealed interface Outcome {
    /// The work is done.
    ///
    /// @param output what the job gave: anything that can be written as JSON, up to 256 KiB; null: nothing
    record Completed(@Nullable Object output) implements Outcome {}

    /// The work is not done.
    ///
    /// @param code a word for what went wrong, such as `exit_1`
    /// @param message for people; of what is longer than 16 KiB the beginning is kept
    /// @param details JSON, or null
    /// @param retry whether another try may help; it is made where tries are left
    record Failed(
            String code, @Nullable String message, @Nullable Object details, boolean retry) implements Outcome {}

    /// The job goes back to its queue, and this try does not count. The same credential does not get it for half a
    /// minute or longer.
    record Released() implements Outcome {}

    /// The work is done.
    static Outcome completed(@Nullable Object output) {
        return new Completed(output);
    }

    /// The work is not done, and another try may help.
    static Outcome failed(String code, @Nullable String message) {
        return new Failed(code, message, null, true);
    }

    /// The work is not done, and no other try would help.
    static Outcome failedForGood(String code, @Nullable String message) {
        return new Failed(code, message, null, false);
    }

    /// This worker cannot do it.
    static Outcome released() {
        return new Released();
    }
}
