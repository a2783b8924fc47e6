package dev.sheaf.server.auth.secret;

import dev.sheaf.model.key.Secret;
import java.security.SecureRandom;
import java.util.Base64;

/// Makes secrets that are handed out once: 256 random bits in URL-safe base64, with a prefix that tells people and
/// secret scanners what they have found.
public final class OneTimeSecret {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;
    /// Longest secret in characters; anything longer is invalid.
    public static final int MAX_LENGTH = 100;

    private OneTimeSecret() {}

    /// @param word the prefix, such as `shi` for an invitation
    public static Secret generate(String word) {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Secret.of(word + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }
}
