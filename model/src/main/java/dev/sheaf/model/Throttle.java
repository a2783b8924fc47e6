package dev.sheaf.model;

import java.util.Locale;

/// The limits that refuse or delay a request because of load. A refusal names its throttle, and docs/limits.md
/// describes each. Quotas of stored things are not among them.
public enum Throttle {
    /// Open connections, and requests that wait on them.
    CONNECTIONS,
    /// The time that a request may take or wait.
    TIME,
    /// The size of a request, of its answer, or of what it needs on the disk.
    SIZE,
    /// Requests in a period.
    RATE,
    /// Work that keeps a processor busy.
    WORK,
    /// Memory for requests.
    MEMORY,
    /// Wrong credentials, passwords and codes.
    GUESSES;

    /// Returns the name in answers, in lower case.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
