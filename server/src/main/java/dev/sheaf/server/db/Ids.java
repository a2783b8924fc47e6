package dev.sheaf.server.db;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;

/// Makes ids: UUIDv7 (RFC 9562, section 5.7), so that rows made later sort later. Those that this process makes in
/// one millisecond grow by random steps (section 6.2, method 2). Thread-safe.
public final class Ids {
    /// Sorts behind every id as text, by bytes and in the order of any language, which many databases sort by:
    /// there signs such as `~` stand before digits and letters.
    public static final String END = "g"; // hexadecimal digits end with f

    private static final SecureRandom RANDOM = new SecureRandom();
    private static UUID last = new UUID(-1, 0); // of no time

    private Ids() {}

    /// Sorts before each id that was made at that moment or later, and behind all that are older: ids begin with
    /// their time (RFC 9562, section 5.7).
    public static UUID edge(Instant moment) {
        return new UUID(moment.toEpochMilli() << 16, 0);
    }

    public static synchronized UUID next(Instant now) {
        long millis = now.toEpochMilli();
        long high = last.getMostSignificantBits();
        long low = last.getLeastSignificantBits() + 1 + Integer.toUnsignedLong(RANDOM.nextInt());
        if (high >>> 16 != millis) {
            high = millis << 16 | 0x7000 | RANDOM.nextInt(1 << 12);
            low = 0x8000_0000_0000_0000L | RANDOM.nextLong() >>> 3; // one bit of the 62 less: room to grow
        }
        last = new UUID(high, low);
        return last;
    }
}
