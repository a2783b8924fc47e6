package dev.sheaf.server.bundle.review;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.SealedSecrets;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/// The secrets that sign questions to scanners, in the form of Standard Webhooks, and the tokens with which
/// scanners answer. Thread-safe.
public final class ScannerSecrets {
    private static final int BYTES = 32;
    private static final String PREFIX = "whsec_";
    private static final String TOKEN = "sheaf_scan_";

    private final SecureRandom random = new SecureRandom();
    private final SealedSecrets sealed;

    /// @param previous earlier master secrets that this one replaced
    public ScannerSecrets(MasterSecret master, List<MasterSecret> previous) {
        this.sealed = new SealedSecrets("scanner/1", master, previous);
    }

    Secret generate() {
        return Secret.of(PREFIX + Base64.getEncoder().encodeToString(bytes()));
    }

    /// Returns a new token.
    public Secret token() {
        return Secret.of(TOKEN + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes()));
    }

    private byte[] bytes() {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return bytes;
    }

    String seal(UUID scanner, Secret secret) {
        return sealed.seal(scanner.toString(), secret.expose().getBytes(StandardCharsets.US_ASCII));
    }

    /// @throws IllegalStateException if it was sealed under an unknown master secret
    public Secret open(UUID scanner, String secret) {
        return sealed.open(scanner.toString(), secret)
                .map(bytes -> Secret.of(new String(bytes, StandardCharsets.US_ASCII)))
                .orElseThrow(
                        () -> new IllegalStateException(
                                "a scanner was registered under another master key; add"
                                        + " that key to previous-master-keys, or name the scanner again in the policy, with another address"));
    }
}
