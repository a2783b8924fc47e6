package dev.sheaf.server.bundle.review;

import java.util.Locale;

/// The state of a push that needed approval.
public enum ReviewState {
    HELD,
    PUBLISHED,
    REJECTED,
    WITHDRAWN,
    EXPIRED;

    /// Returns the name in JSON.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
