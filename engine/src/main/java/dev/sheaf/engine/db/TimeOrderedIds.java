package dev.sheaf.engine.db;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;

/// Makes UUIDv7 ids (RFC 9562, section 5.7), so that rows created later sort later. Ids made by this process
/// within one millisecond increase by random steps (section 6.2, method 2). Thread-safe.
public final class TimeOrderedIds {
    /// Sorts after every id as text, both by bytes and by the collation of any language, in which characters such
    /// as `~` sort before digits and letters.
    public static final String END = "g"; // hexadecimal digits end with f

    private static final SecureRandom RANDOM = new SecureRandom();
    private static UUID last = new UUID(-1, 0); // matches no time

    private TimeOrderedIds() {}

    /// Returns an id that sorts before every id made at that moment or later, and after all older ones: ids begin
    /// with their time (RFC 9562, section 5.7).
    public static UUID edge(Instant moment) {
        return new UUID(moment.toEpochMilli() << 16, 0);
    }

    /// Returns the time of an id in milliseconds since 1970, or `otherwise` if the text is not an id.
    public static long millis(String id, long otherwise) {
        try {
            return UUID.fromString(id).getMostSignificantBits() >>> 16;
        } catch (IllegalArgumentException e) {
            return otherwise;
        }
    }

    public static synchronized UUID next(Instant now) {
        long millis = now.toEpochMilli();
        long high = last.getMostSignificantBits();
        long low = last.getLeastSignificantBits() + 1 + Integer.toUnsignedLong(RANDOM.nextInt());
        if (high >>> 16 != millis) {
            high = millis << 16 | 0x7000 | RANDOM.nextInt(1 << 12);
            // one of the 62 random bits stays 0, as room to grow
            low = 0x8000_0000_0000_0000L | RANDOM.nextLong() >>> 3;
        }
        last = new UUID(high, low);
        return last;
    }
}
