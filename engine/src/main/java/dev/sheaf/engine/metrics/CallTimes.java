package dev.sheaf.engine.metrics;

import org.jspecify.annotations.Nullable;

/// Records how long calls of one kind take, and how many bytes they move. Thread-safe.
public interface CallTimes {
    /// Records nothing.
    CallTimes OFF = (call, nanos, failure) -> {};

    /// @param call the name of the call, from a small set of names
    /// @param nanos the duration
    /// @param failure null if the call succeeded
    void took(String call, long nanos, @Nullable Throwable failure);

    /// Records bytes that were read from a store.
    default void read(long bytes) {}

    /// Records bytes that were written to a store.
    default void written(long bytes) {}
}
