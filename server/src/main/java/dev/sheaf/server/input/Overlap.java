package dev.sheaf.server.input;

import java.time.Duration;
import java.util.Set;

/// For how long an old secret goes on to be good, beside the one that takes its place.
public final class Overlap {
    private static final Duration USUAL = Duration.ofDays(1);
    private static final Duration MOST = Duration.ofDays(30);

    private Overlap() {}

    /// That of the member `overlap`; a day where it is not said.
    public static Duration parse(Fields fields) {
        fields.only(Set.of("overlap"));
        return fields.parsedOr("overlap", Overlap::duration, USUAL);
    }

    private static Duration duration(String text) {
        return Timestamps.duration(
                text,
                overlap -> !overlap.isNegative() && overlap.compareTo(MOST) <= 0,
                "range",
                "must be an ISO 8601 duration from PT0S to P30D");
    }
}
