package dev.sheaf.server.auth.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Pseudonyms that identify somebody for one day. The key changes every day, so that days cannot be linked, and
/// without the master secret a pseudonym reveals nothing. All nodes compute the same pseudonyms. Thread-safe.
public final class DailyPseudonyms {
    private static final int BYTES = 16;

    private final SecretKeySpec key;

    /// @param use their purpose; different uses have different pseudonyms
    public DailyPseudonyms(MasterSecret master, String use) {
        this.key = new SecretKeySpec(master.derive("pseudonym/1 " + use), "HmacSHA256");
    }

    /// Returns 32 hex digits.
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
