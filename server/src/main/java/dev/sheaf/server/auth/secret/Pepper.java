package dev.sheaf.server.auth.secret;

import dev.sheaf.model.key.Secret;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The key under which the secrets of API keys are hashed. Without it, somebody who reads the database can neither
/// test a guess nor make a row for a key of their own. The database only knows its number. Thread-safe.
public final class Pepper {
    private static final int BYTES = 32;
    private static final int CHECK = 8;

    private final Mac mac; // only cloned, never used, so that many threads can share it

    private Pepper(byte[] bytes) {
        this.mac = MasterSecret.mac(new SecretKeySpec(bytes, "HmacSHA256"));
    }

    static Pepper of(MasterSecret master, long number) {
        return new Pepper(master.derive("api-key-pepper/" + number));
    }

    /// Returns a random pepper that no other process knows.
    public static Pepper ofThisProcess() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Pepper(bytes);
    }

    /// Returns a value that identifies the master secret of the pepper with this number, without revealing either.
    static String checkValue(MasterSecret master, long number) {
        return HexFormat.of().formatHex(Arrays.copyOf(master.derive("api-key-pepper-check/" + number), CHECK));
    }

    /// Returns hex of HMAC-SHA-256.
    public String hash(Secret secret) {
        try {
            var own = (Mac) mac.clone();
            return HexFormat.of().formatHex(own.doFinal(secret.expose().getBytes(StandardCharsets.UTF_8)));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("Java's own HmacSHA256 can be cloned", e);
        }
    }
}
