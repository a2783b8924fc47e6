package dev.sheaf.server.org.key;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.wire.key.KeyPolicyRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The policy for the lifetime of an organization's new keys. Existing keys are not affected.
///
/// @param defaultExpiry the lifetime if the request contains none; null for the longest allowed lifetime
/// @param maxExpiry the longest allowed lifetime; null for no limit
public record KeyPolicy(
        @Nullable Duration defaultExpiry, @Nullable Duration maxExpiry) {
    private static final String DEFAULT = "defaultExpiry";
    private static final String MAX = "maxExpiry";

    public static final KeyPolicy NONE = new KeyPolicy(null, null);
    /// The tolerance between clocks. A requested lifetime starts at the node's time, the longest lifetime at
    /// the database's time.
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    private static final Duration LONGEST = Duration.ofDays(36_500);

    /// Reads a policy. Refuses unknown members, because a misspelt `maxExpiry` would allow keys that never
    /// expire.
    public static KeyPolicy parse(RequestFields fields) {
        fields.only(Set.of(DEFAULT, MAX));
        // with these fallbacks, an error in one member causes no second error in the other
        var policy = new KeyPolicy(period(fields, DEFAULT, Duration.ZERO), period(fields, MAX, LONGEST));
        if (!policy.isConsistent()) {
            fields.error(DEFAULT, "range", "must not be longer than " + MAX);
        }
        return policy;
    }

    private static @Nullable Duration period(RequestFields fields, String name, Duration fallback) {
        return fields.has(name) ? fields.parsed(name, KeyPolicy::period, fallback) : null;
    }

    /// Reads a period of whole milliseconds, such as `P90D` or `PT12H`. Refuses months and years, because their
    /// lengths vary.
    ///
    /// @throws ProblemException validation-failed
    static Duration period(String text) {
        return WireTimestamps.duration(
                text,
                period -> period.isPositive() && period.compareTo(LONGEST) <= 0,
                "format",
                "must be an ISO 8601 duration of days or less, such as P90D or PT12H; at most P36500D");
    }

    /// Returns false if the default is longer than the maximum.
    boolean isConsistent() {
        return defaultExpiry == null || maxExpiry == null || defaultExpiry.compareTo(maxExpiry) <= 0;
    }

    /// Returns the expiry of a key that is created at `now`.
    ///
    /// @param asked the requested expiry; null if the request contains none
    /// @return null if the key never expires
    @Nullable
    Instant end(Instant now, @Nullable Instant asked) {
        if (asked != null) {
            var last = last(now);
            return last != null && asked.isAfter(last) && !asked.isAfter(last.plus(CLOCKS_DIFFER)) ? last : asked;
        }
        var length = defaultExpiry == null ? maxExpiry : defaultExpiry;
        return length == null ? null : now.plus(length);
    }

    /// Returns the expiry of a key that replaces one with the lifetime `length`; null if it never expires.
    @Nullable
    Instant fresh(Instant now, @Nullable Duration length) {
        return KeyEnds.earlier(end(now, length == null ? null : now.plus(length)), last(now));
    }

    /// Returns the latest expiry that is allowed; null if there is no limit.
    @Nullable
    Instant last(Instant now) {
        return maxExpiry == null ? null : now.plus(maxExpiry);
    }

    public KeyPolicyRecord toWire() {
        return new KeyPolicyRecord(text(defaultExpiry), text(maxExpiry));
    }

    private static @Nullable String text(@Nullable Duration period) {
        return period == null ? null : WireTimestamps.text(period);
    }
}
