package dev.sheaf.server.auth.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Names that tell somebody apart from others for one day: under another key the next day, so that days cannot be
/// put together, and without meaning for whoever lacks the master secret. All nodes give the same. Thread-safe.
public final class Pseudonyms {
    private static final int BYTES = 16;

    private final SecretKeySpec key;

    /// @param use what they are for: another use gives other names
    public Pseudonyms(MasterSecret master, String use) {
        this.key = new SecretKeySpec(master.derive("pseudonym/1 " + use), "HmacSHA256");
    }

    /// 32 hex digits.
    ///
    /// @param day days since 1970 (UTC)
    public String of(long day, String who) {
        var ofDay = new SecretKeySpec(hmac(key, Long.toString(day)), "HmacSHA256");
        return HexFormat.of().formatHex(Arrays.copyOf(hmac(ofDay, who), BYTES));
    }

    private static byte[] hmac(SecretKeySpec key, String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
