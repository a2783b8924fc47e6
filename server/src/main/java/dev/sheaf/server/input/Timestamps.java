package dev.sheaf.server.input;

import dev.sheaf.model.Problem;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.function.Predicate;

/// Times as they stand in requests and answers (RFC 3339).
public final class Timestamps {
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    private Timestamps() {}

    /// @throws dev.sheaf.model.ProblemException validation-failed where the text is no such time
    public static Instant parse(String text) {
        try {
            var time = OffsetDateTime.parse(text).toInstant();
            if (canBeWritten(time)) {
                return time;
            }
        } catch (DateTimeException e) {
            // falls through to the one message
        }
        throw Problem.invalid(
                "format", "must be an RFC 3339 time such as 2030-01-31T12:00:00Z (in a URL, + is written %2B)");
    }

    /// A duration of whole milliseconds in the form of ISO 8601, such as `P90D` or `PT12H`.
    ///
    /// @param code and `rule`, what is told where it is none, or does not fit
    /// @throws dev.sheaf.model.ProblemException validation-failed
    public static Duration duration(String text, Predicate<Duration> fits, String code, String rule) {
        try {
            var duration = Duration.ofMillis(Duration.parse(text).toMillis());
            if (fits.test(duration)) {
                return duration;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // falls through to the one message
        }
        throw Problem.invalid(code, rule);
    }

    /// Whether its year has four digits, which is all that RFC 3339 can write. What Java reads beyond that does not
    /// fit into the database either.
    public static boolean canBeWritten(Instant time) {
        return !time.isBefore(FIRST) && !time.isAfter(LAST);
    }
}
