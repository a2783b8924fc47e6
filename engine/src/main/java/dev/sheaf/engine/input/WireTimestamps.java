package dev.sheaf.engine.input;

import dev.sheaf.model.Problem;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.function.Predicate;

/// Times in requests and answers (RFC 3339).
public final class WireTimestamps {
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    private WireTimestamps() {}

    /// @throws dev.sheaf.model.ProblemException validation-failed if the text is not such a time
    public static Instant parse(String text) {
        try {
            var time = OffsetDateTime.parse(text).toInstant();
            if (canBeWritten(time)) {
                return time;
            }
        } catch (DateTimeException e) {
            // reported below
        }
        throw Problem.invalid(
                "format", "must be an RFC 3339 time such as 2030-01-31T12:00:00Z (in a URL, + is written %2B)");
    }

    /// Parses a duration of whole milliseconds in ISO 8601, such as `P90D` or `PT12H`.
    ///
    /// @param code the code of the error if the text is not a duration or does not fit
    /// @param rule the detail of that error
    /// @throws dev.sheaf.model.ProblemException validation-failed
    public static Duration duration(String text, Predicate<Duration> fits, String code, String rule) {
        try {
            var duration = Duration.ofMillis(Duration.parse(text).toMillis());
            if (fits.test(duration)) {
                return duration;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // reported below
        }
        throw Problem.invalid(code, rule);
    }

    /// Returns a period as ISO 8601 writes it: in days if it has only whole ones.
    public static String text(Duration period) {
        return period.equals(Duration.ofDays(period.toDays())) ? "P" + period.toDays() + "D" : period.toString();
    }

    /// Checks the name of a time zone. An offset such as `+02:00` is not one.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed if the IANA database does not have it
    public static String zone(String text) {
        if (!ZoneId.getAvailableZoneIds().contains(text)) {
            throw Problem.invalid("unknown", "must be a time zone of the IANA database, such as Europe/Zurich or UTC");
        }
        return text;
    }

    /// Returns whether the year has four digits, as RFC 3339 requires. Later times would not fit into the
    /// database either.
    public static boolean canBeWritten(Instant time) {
        return !time.isBefore(FIRST) && !time.isAfter(LAST);
    }
}
