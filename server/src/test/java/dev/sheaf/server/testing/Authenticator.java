package dev.sheaf.server.testing;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// An authenticator as people carry it (RFC 6238), written apart from the service.
///
/// @param secret in base32
public record Authenticator(String secret) {
    public static final Duration STEP = Duration.ofSeconds(30);

    public String code(Instant time) {
        try {
            var mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(bytes(), "RAW"));
            var hash = ByteBuffer.wrap(mac.doFinal(ByteBuffer.allocate(8)
                    .putLong(time.getEpochSecond() / STEP.toSeconds())
                    .array()));
            int number = hash.getInt(hash.get(19) & 15) & 0x7fffffff;
            return String.format(Locale.ROOT, "%06d", number % 1_000_000);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A code that is none around that time.
    public String wrong(Instant time) {
        for (int i = 0; ; i++) {
            String code = String.format(Locale.ROOT, "%06d", i);
            boolean right = false;
            for (int step = -3; step <= 3; step++) {
                right |= code(time.plus(STEP.multipliedBy(step))).equals(code);
            }
            if (!right) {
                return code;
            }
        }
    }

    private byte[] bytes() {
        var bits = new StringBuilder();
        for (char letter : secret.toCharArray()) {
            int value = letter >= 'A' ? letter - 'A' : letter - '2' + 26;
            bits.append(Integer.toBinaryString(32 + value), 1, 6);
        }
        var bytes = new byte[bits.length() / 8];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(bits.substring(8 * i, 8 * i + 8), 2);
        }
        return bytes;
    }
}
