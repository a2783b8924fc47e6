package dev.sheaf.server.identity.factor;

import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Seeds of authenticators as they are stored: AES-256-GCM under a key derived from the master secret, and of use
/// to the one account only. Thread-safe.
final class SealedSeeds {
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec key;

    SealedSeeds(MasterSecret master) {
        this.key = new SecretKeySpec(master.derive("totp-seed/1"), "AES");
    }

    byte[] generate() {
        var seed = new byte[Totp.SEED];
        random.nextBytes(seed);
        return seed;
    }

    String seal(UUID account, byte[] seed) {
        var nonce = new byte[NONCE];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, account, nonce).doFinal(seed);
            byte[] all = Arrays.copyOf(nonce, NONCE + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE, sealed.length);
            return Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /// @return empty where it was sealed under another master secret or for another account
    Optional<byte[]> open(UUID account, String sealed) {
        byte[] all = Base64.getDecoder().decode(sealed);
        try {
            var cipher = cipher(Cipher.DECRYPT_MODE, account, Arrays.copyOf(all, NONCE));
            return Optional.of(cipher.doFinal(all, NONCE, all.length - NONCE));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    private Cipher cipher(int mode, UUID account, byte[] nonce) throws GeneralSecurityException {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(account.toString().getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    private static IllegalStateException missing(GeneralSecurityException e) {
        return new IllegalStateException("every Java platform has AES in GCM", e);
    }
}
