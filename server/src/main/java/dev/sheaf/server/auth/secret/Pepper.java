package dev.sheaf.server.auth.secret;

import dev.sheaf.model.key.Secret;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What the secrets of API keys are hashed with, so that who reads the database can neither test a guess nor make a
/// row for a key of their own. Known to the database by its number only. Thread-safe.
public final class Pepper {
    private static final int BYTES = 32;
    private static final int CHECK = 8;

    private final Mac mac; // never used itself, so that many threads can clone it

    private Pepper(byte[] bytes) {
        this.mac = MasterSecret.mac(new SecretKeySpec(bytes, "HmacSHA256"));
    }

    static Pepper of(MasterSecret master, long number) {
        return new Pepper(master.derive("api-key-pepper/" + number));
    }

    /// One that no other process knows.
    public static Pepper ofThisProcess() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Pepper(bytes);
    }

    /// Tells from which master secret the pepper of that number was derived, and gives nothing of either away.
    static String checkValue(MasterSecret master, long number) {
        return HexFormat.of().formatHex(Arrays.copyOf(master.derive("api-key-pepper-check/" + number), CHECK));
    }

    /// Hex of HMAC-SHA-256.
    public String hash(Secret secret) {
        try {
            var own = (Mac) mac.clone();
            return HexFormat.of().formatHex(own.doFinal(secret.expose().getBytes(StandardCharsets.UTF_8)));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("Java's own HmacSHA256 can be cloned", e);
        }
    }
}
