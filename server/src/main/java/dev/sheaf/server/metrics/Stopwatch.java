package dev.sheaf.server.metrics;

/// Is told how long calls of one kind take. Thread-safe.
public interface Stopwatch {
    /// Takes no notice.
    Stopwatch OFF = (call, nanos) -> {};

    /// @param call its name, one of few
    void took(String call, long nanos);
}
