package dev.sheaf.server.org.key;

import dev.sheaf.model.wire.key.KeyPolicyRecord;
import dev.sheaf.server.input.Fields;
import dev.sheaf.server.input.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// For how long new keys of an organization work; those that exist are left alone.
///
/// @param defaultExpiry where nobody says; null: as long as is allowed
/// @param maxExpiry the most that is allowed; null: for ever
public record KeyPolicy(
        @Nullable Duration defaultExpiry, @Nullable Duration maxExpiry) {
    private static final String DEFAULT = "defaultExpiry";
    private static final String MAX = "maxExpiry";

    public static final KeyPolicy NONE = new KeyPolicy(null, null);
    /// A period that was asked for is added to a node's time, and the longest one to that of the database.
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    private static final Duration LONGEST = Duration.ofDays(36_500);

    /// An unknown member is refused, as where keys are created: a misspelt `maxExpiry` would allow immortal keys.
    public static KeyPolicy parse(Fields fields) {
        fields.only(Set.of(DEFAULT, MAX));
        // what is wrong is no second fault of the other
        var policy = new KeyPolicy(period(fields, DEFAULT, Duration.ZERO), period(fields, MAX, LONGEST));
        if (!policy.isConsistent()) {
            fields.error(DEFAULT, "range", "must not be longer than " + MAX);
        }
        return policy;
    }

    private static @Nullable Duration period(Fields fields, String name, Duration fallback) {
        return fields.has(name) ? fields.parsed(name, KeyPolicy::period, fallback) : null;
    }

    /// Reads a period of whole milliseconds, such as `P90D` or `PT12H`; months and years differ in length, so they
    /// are refused.
    ///
    /// @throws ProblemException validation-failed
    static Duration period(String text) {
        return Timestamps.duration(
                text,
                period -> period.isPositive() && period.compareTo(LONGEST) <= 0,
                "format",
                "must be an ISO 8601 duration of days or less, such as P90D or PT12H; at most P36500D");
    }

    /// False where the default is longer than the longest.
    boolean isConsistent() {
        return defaultExpiry == null || maxExpiry == null || defaultExpiry.compareTo(maxExpiry) <= 0;
    }

    /// When a key ends that is made at `now`.
    ///
    /// @param asked what its creator asked for
    /// @return null: never
    @Nullable
    Instant end(Instant now, @Nullable Instant asked) {
        if (asked != null) {
            var last = last(now);
            return last != null && asked.isAfter(last) && !asked.isAfter(last.plus(CLOCKS_DIFFER)) ? last : asked;
        }
        var length = defaultExpiry == null ? maxExpiry : defaultExpiry;
        return length == null ? null : now.plus(length);
    }

    /// When a key ends that takes the place of one that was made to work for `length`; null: for ever.
    @Nullable
    Instant fresh(Instant now, @Nullable Duration length) {
        return KeyEnds.earlier(end(now, length == null ? null : now.plus(length)), last(now));
    }

    /// The last moment that is allowed, or null where all are.
    @Nullable
    Instant last(Instant now) {
        return maxExpiry == null ? null : now.plus(maxExpiry);
    }

    public KeyPolicyRecord toWire() {
        return new KeyPolicyRecord(text(defaultExpiry), text(maxExpiry));
    }

    private static @Nullable String text(@Nullable Duration period) {
        if (period == null) {
            return null;
        }
        return period.equals(Duration.ofDays(period.toDays())) ? "P" + period.toDays() + "D" : period.toString();
    }
}
