package dev.sheaf.server.auth.secret;

import dev.sheaf.model.key.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The single secret of the installation: 32 bytes kept outside the database. Every other key is derived from it
/// by HMAC-SHA-256 over a label that names the use. All nodes of an installation share it.
public final class MasterSecret {
    private static final int BYTES = 32;
    private final SecretKeySpec key;

    private MasterSecret(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, "HmacSHA256");
    }

    /// Returns a new random secret in the form that [#parse] reads.
    public static String generate() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /// @throws IllegalArgumentException if `text` is not 32 bytes in base64
    public static MasterSecret parse(String text) {
        byte[] bytes = Base64.getDecoder().decode(text.strip());
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("the master secret must be " + BYTES + " bytes in base64");
        }
        return new MasterSecret(bytes);
    }

    /// Parses several secrets, separated by commas.
    ///
    /// @throws IllegalArgumentException those of [#parse]
    public static List<MasterSecret> parseAll(String text) {
        return Arrays.stream(text.split(",", -1)).map(MasterSecret::parse).toList();
    }

    /// Returns 32 bytes for the use that `label` names.
    public byte[] derive(String label) {
        return hmac(key, label.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns a value that distinguishes this secret from others without revealing anything about it.
    public String fingerprint() {
        return HexFormat.of().formatHex(derive("fingerprint/1"));
    }

    /// Returns the hash by which a secret is stored and looked up: hex of HMAC-SHA-256 under the key of the use
    /// `label`.
    public String hashOf(String label, Secret secret) {
        return seal(label, secret.expose().getBytes(StandardCharsets.UTF_8));
    }

    /// Returns a MAC that proves to a holder of this secret that another holder wrote the message: hex of
    /// HMAC-SHA-256 under the key of the use `label`.
    public String seal(String label, byte[] message) {
        return HexFormat.of().formatHex(hmac(new SecretKeySpec(derive(label), "HmacSHA256"), message));
    }

    static byte[] hmac(SecretKeySpec key, byte[] message) {
        return mac(key).doFinal(message);
    }

    /// Returns an HMAC-SHA-256 under the key. Not thread-safe; cloning one is cheaper than calling this again.
    static Mac mac(SecretKeySpec key) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
