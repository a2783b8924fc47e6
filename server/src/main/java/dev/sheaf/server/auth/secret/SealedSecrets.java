package dev.sheaf.server.auth.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Encrypts secrets that the server must be able to read again, such as the secrets of webhooks and
/// authenticators. Uses AES-256-GCM. The key is derived from the master secret for one use; the ciphertext is
/// bound to the row that owns the secret. Thread-safe.
public final class SealedSecrets {
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();
    private final List<SecretKeySpec> keys; // the first encrypts, all decrypt

    /// @param label names the use; another label gives another key
    /// @param previous master secrets that this one replaced
    public SealedSecrets(String label, MasterSecret master, List<MasterSecret> previous) {
        this.keys = Stream.concat(Stream.of(master), previous.stream())
                .map(secret -> new SecretKeySpec(secret.derive(label), "AES"))
                .toList();
    }

    /// @param place identifies the owning row, such as an id
    public String seal(String place, byte[] secret) {
        var nonce = new byte[NONCE];
        random.nextBytes(nonce);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, keys.getFirst(), place, nonce).doFinal(secret);
            byte[] all = Arrays.copyOf(nonce, NONCE + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE, sealed.length);
            return Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /// @return empty if it was encrypted under an unknown master secret or for another place
    public Optional<byte[]> open(String place, String sealed) {
        byte[] all = Base64.getDecoder().decode(sealed);
        return keys.stream().flatMap(key -> open(key, place, all).stream()).findFirst();
    }

    private static Optional<byte[]> open(SecretKeySpec key, String place, byte[] all) {
        try {
            var cipher = cipher(Cipher.DECRYPT_MODE, key, place, Arrays.copyOf(all, NONCE));
            return Optional.of(cipher.doFinal(all, NONCE, all.length - NONCE));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    private static Cipher cipher(int mode, SecretKeySpec key, String place, byte[] nonce)
            throws GeneralSecurityException {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(place.getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    private static IllegalStateException missing(GeneralSecurityException e) {
        return new IllegalStateException("every Java platform has AES in GCM", e);
    }
}
