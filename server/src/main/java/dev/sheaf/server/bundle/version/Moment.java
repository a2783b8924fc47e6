package dev.sheaf.server.bundle.version;

import dev.sheaf.model.Problem;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import org.jspecify.annotations.Nullable;

/// Which moment a resolve asks about (contract 3.1). What is chosen is chosen as it was then; what is said of it,
/// such as a yank, is as it is now.
///
/// @param asOf tags and versions as they were then; null: as they are now
/// @param minAge how long before that moment a version must have been published
public record Moment(@Nullable Instant asOf, Duration minAge) {
    public static final Moment NOW = new Moment(null, Duration.ZERO);

    private static final long MAX_DAYS = 36_500;

    public boolean isNow() {
        return asOf == null && minAge.isZero();
    }

    /// What is asked of a version besides what it is called.
    String words() {
        return (asOf == null ? "" : " as of " + asOf) + (minAge.isZero() ? "" : ", out for " + minAge + " or longer");
    }

    /// Reads an age: an ISO 8601 duration of days or less, such as `P7D` or `PT36H`, up to a century.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed where it is none
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

    /// `P2W`, which [Duration] does not read.
    private static Duration weeks(String text) {
        try {
            var period = Period.parse(text);
            if (period.getYears() == 0 && period.getMonths() == 0) {
                return Duration.ofDays(period.getDays());
            }
        } catch (DateTimeException | ArithmeticException e) {
            // falls through to the one message
        }
        throw Problem.invalid(
                "format",
                "must be an ISO 8601 duration in weeks, days, hours, minutes or seconds, such as P7D or PT36H");
    }
}
