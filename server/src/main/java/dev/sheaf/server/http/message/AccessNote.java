package dev.sheaf.server.http.message;

/// Receives a notice of every answered request. Thread-safe.
public interface AccessNote {
    /// @param status the status of the answer; 0 if the connection broke before the answer
    /// @param nanos how long the request took
    void note(Call call, int status, long nanos);
}
