package dev.sheaf.engine.input;

import java.time.Duration;
import java.util.Set;

/// The time for which an old secret stays valid after a new one was made.
public final class SecretOverlap {
    private static final Duration USUAL = Duration.ofDays(1);
    private static final Duration MOST = Duration.ofDays(30);

    private SecretOverlap() {}

    /// Reads the member `overlap`; a day if it is absent.
    public static Duration parse(RequestFields fields) {
        fields.only(Set.of("overlap"));
        return fields.parsedOr("overlap", SecretOverlap::duration, USUAL);
    }

    private static Duration duration(String text) {
        return WireTimestamps.duration(
                text,
                overlap -> !overlap.isNegative() && overlap.compareTo(MOST) <= 0,
                "range",
                "must be an ISO 8601 duration from PT0S to P30D");
    }
}
