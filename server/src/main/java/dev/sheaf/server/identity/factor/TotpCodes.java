package dev.sheaf.server.identity.factor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Time-based one-time passwords (RFC 6238) as all authenticators make them: HMAC-SHA-1, six digits, a new code
/// every 30 seconds.
final class TotpCodes {
    /// The length of a seed in bytes, equal to the length of a SHA-1 hash (RFC 4226, section 4, R6).
    static final int SEED = 20;

    private static final int SECONDS = 30;
    private static final int WINDOW = 1; // steps before and after: RFC 6238, section 5.2
    private static final int MODULUS = 1_000_000;
    private static final String BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"; // RFC 4648, section 6
    private static final int LETTER = 5; // bits

    private TotpCodes() {}

    static long step(Instant time) {
        return Math.floorDiv(time.getEpochSecond(), SECONDS);
    }

    static String code(byte[] seed, long step) {
        byte[] hash = hmac(seed, ByteBuffer.allocate(Long.BYTES).putLong(step).array());
        int offset = hash[hash.length - 1] & 0xf; // RFC 4226, section 5.3
        int number = ByteBuffer.wrap(hash).getInt(offset) & Integer.MAX_VALUE;
        return String.format(Locale.ROOT, "%06d", number % MODULUS);
    }

    /// Returns the step of this code: the current one or a neighbour, and later than `last`.
    static OptionalLong match(byte[] seed, String code, Instant now, long last) {
        byte[] given = code.getBytes(StandardCharsets.UTF_8);
        var found = OptionalLong.empty();
        for (long step = step(now) + WINDOW; step >= step(now) - WINDOW; step--) {
            boolean same = MessageDigest.isEqual(given, code(seed, step).getBytes(StandardCharsets.US_ASCII));
            if (same && step > last) {
                found = OptionalLong.of(step); // the earliest, so that the next one stays usable
            }
        }
        return found;
    }

    /// Returns a seed in the form that people type: base32 without padding.
    static String text(byte[] seed) {
        var text = new StringBuilder();
        int bits = 0;
        int held = 0;
        for (byte next : seed) {
            held = held << Byte.SIZE | next & 0xff;
            bits += Byte.SIZE;
            while (bits >= LETTER) {
                bits -= LETTER;
                text.append(BASE_32.charAt(held >> bits & 0x1f));
            }
            held &= (1 << bits) - 1;
        }
        return (bits == 0 ? text : text.append(BASE_32.charAt(held << LETTER - bits & 0x1f))).toString();
    }

    private static byte[] hmac(byte[] key, byte[] message) {
        try {
            var mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(key, "HmacSHA1"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA1", e);
        }
    }
}
