package dev.sheaf.server.bundle.version;

import dev.sheaf.model.Problem;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import org.jspecify.annotations.Nullable;

/// The moment for which a version is resolved (contract 3.1). The version is chosen as of that moment; its
/// properties, such as a yank, are current.
///
/// @param asOf the time whose tags and versions are used; null for now
/// @param minAge the minimum age of a version at that moment
public record ResolveTime(@Nullable Instant asOf, Duration minAge) {
    public static final ResolveTime NOW = new ResolveTime(null, Duration.ZERO);

    private static final long MAX_DAYS = 36_500;

    public boolean isNow() {
        return asOf == null && minAge.isZero();
    }

    /// Returns the conditions as the end of a sentence.
    String words() {
        return (asOf == null ? "" : " as of " + asOf)
                + (minAge.isZero() ? "" : ", published for " + minAge + " or longer");
    }

    /// Parses an age: an ISO 8601 duration of weeks, days or smaller units, such as `P7D` or `PT36H`, up to 36,500
    /// days.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed if it is invalid
    public static Duration parseAge(String text) {
        var age = age(text);
        if (age.isNegative() || age.toDays() > MAX_DAYS) {
            throw Problem.invalid("range", "must be from PT0S to P" + MAX_DAYS + "D");
        }
        return age;
    }

    private static Duration age(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException | ArithmeticException e) {
            return weeks(text);
        }
    }

    /// Parses `P2W`, which [Duration] does not support.
    private static Duration weeks(String text) {
        try {
            var period = Period.parse(text);
            if (period.getYears() == 0 && period.getMonths() == 0) {
                return Duration.ofDays(period.getDays());
            }
        } catch (DateTimeException | ArithmeticException e) {
            // reported below
        }
        throw Problem.invalid(
                "format",
                "must be an ISO 8601 duration in weeks, days, hours, minutes or seconds, such as P7D or PT36H");
    }
}
