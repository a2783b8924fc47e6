package dev.sheaf.model.key;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32;

/// The format of an API key's secret (contract 5.1): `shf_`, 30 random base62 characters (178 bits), and 6
/// base62 characters with the CRC-32 of the preceding text. The checksum detects a mistyped key without a
/// lookup, and lets scanners recognize real keys.
public final class KeyFormat {
    /// The beginning of every key.
    public static final String PREFIX = "shf_";
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RANDOM = 30;
    private static final int CHECKSUM = 6;
    private static final int LENGTH = PREFIX.length() + RANDOM + CHECKSUM;
    private static final SecureRandom SOURCE = new SecureRandom();

    private KeyFormat() {}

    /// Returns a new random key.
    public static Secret generate() {
        var text = new StringBuilder(PREFIX);
        for (int i = 0; i < RANDOM; i++) {
            text.append(BASE62.charAt(SOURCE.nextInt(BASE62.length())));
        }
        return Secret.of(text.append(checksum(text)).toString());
    }

    /// Returns whether the text has this format and a correct checksum. The key need not exist.
    public static boolean isWellFormed(String text) {
        if (text.length() != LENGTH || !text.startsWith(PREFIX)) {
            return false;
        }
        for (int i = PREFIX.length(); i < LENGTH; i++) {
            char c = text.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9')) {
                return false;
            }
        }
        int end = LENGTH - CHECKSUM;
        return text.substring(end).equals(checksum(text.substring(0, end)));
    }

    /// Returns the prefix and the last four characters, which tell keys apart and are safe to show.
    public static String hint(Secret secret) {
        return PREFIX + "…" + secret.expose().substring(LENGTH - 4);
    }

    private static String checksum(CharSequence text) {
        var crc = new CRC32();
        crc.update(text.toString().getBytes(StandardCharsets.US_ASCII));
        long rest = crc.getValue();
        var digits = new char[CHECKSUM];
        for (int i = CHECKSUM - 1; i >= 0; i--) {
            digits[i] = BASE62.charAt((int) (rest % BASE62.length()));
            rest /= BASE62.length();
        }
        return new String(digits);
    }
}
