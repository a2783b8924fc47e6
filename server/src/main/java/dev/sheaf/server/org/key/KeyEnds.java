package dev.sheaf.server.org.key;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Compares ends of keys; null means never.
final class KeyEnds {
    private KeyEnds() {}

    static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isBefore(one)) ? other : one;
    }

    static boolean isWithin(@Nullable Instant end, @Nullable Instant last) {
        return last == null || (end != null && !end.isAfter(last));
    }
}
