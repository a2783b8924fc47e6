package dev.sheaf.server.db;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;

/// Makes ids: UUIDv7 (RFC 9562, section 5.7), so that rows made later sort later.
public final class Ids {
    /// Sorts behind every id as text, by bytes and in the order of any language, which many databases sort by:
    /// there signs such as `~` stand before digits and letters.
    public static final String END = "g"; // hexadecimal digits end with f

    private static final SecureRandom RANDOM = new SecureRandom();

    private Ids() {}

    public static UUID next(Instant now) {
        long high = now.toEpochMilli() << 16 | 0x7000 | RANDOM.nextInt(1 << 12);
        long low = 0x8000_0000_0000_0000L | RANDOM.nextLong() >>> 2;
        return new UUID(high, low);
    }
}
