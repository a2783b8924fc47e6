package dev.sheaf.server.faults;

/// How a request ended.
///
/// @param kind such as "resolve"
/// @param writes whether it was to change something
/// @param due when it was to be sent, by [System#nanoTime]
/// @param nanos from then until its end
/// @param result "" if it succeeded
record Outcome(String kind, boolean writes, long due, long nanos, String result) {
    /// The answer that asks a client to come again: 503 with `Retry-After`.
    static final String REFUSED = "503";

    boolean isWell() {
        return result.isEmpty();
    }

    /// Returns whether it sends content, for which the API allows a minute without progress in place of 10 seconds.
    boolean pushes() {
        return kind.endsWith("push");
    }

    boolean isRefused() {
        return result.equals(REFUSED);
    }
}
