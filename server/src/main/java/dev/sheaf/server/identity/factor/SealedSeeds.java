package dev.sheaf.server.identity.factor;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.SealedSecrets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Stored seeds of authenticators: sealed, and usable for one account only. Thread-safe.
final class SealedSeeds {
    private final SecureRandom random = new SecureRandom();
    private final SealedSecrets sealed;

    SealedSeeds(MasterSecret master) {
        this.sealed = new SealedSecrets("totp-seed/1", master, List.of());
    }

    byte[] generate() {
        var seed = new byte[TotpCodes.SEED];
        random.nextBytes(seed);
        return seed;
    }

    String seal(UUID account, byte[] seed) {
        return sealed.seal(account.toString(), seed);
    }

    /// @return the seed; empty if it was sealed under another master secret or for another account
    Optional<byte[]> open(UUID account, String seed) {
        return sealed.open(account.toString(), seed);
    }
}
