package dev.sheaf.server.bundle;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The versions that a list is confined to.
public enum VersionState {
    ANY("1 = 1"),
    /// Neither yanked nor deprecated.
    USABLE("state = 'published' AND deprecation_message IS NULL"),
    DEPRECATED("deprecation_message IS NOT NULL"),
    YANKED("state = 'yanked'"),
    RECALLED("recalled_at IS NOT NULL");

    private final String condition;

    VersionState(String condition) {
        this.condition = condition;
    }

    /// Returns the SQL condition on a row of `version`.
    String condition() {
        return condition;
    }

    /// Parses a state; empty if there is no such state.
    public static Optional<VersionState> parse(String text) {
        return Stream.of(values())
                .filter(state -> state.toString().equals(text))
                .findFirst();
    }

    /// Returns the name in addresses.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
