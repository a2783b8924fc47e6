package dev.sheaf.server.webhook;

import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.SealedSecrets;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Seals the secrets of webhooks for storage. A sealed secret is valid for one webhook only. Thread-safe.
public final class WebhookSecrets {
    private static final String PREFIX = "whsec_";
    private static final String HEADERS = "/headers";
    private static final int BYTES = 32;
    private static final int LEAST = 24;
    private static final int MOST = 64;

    private final SecureRandom random = new SecureRandom();
    private final SealedSecrets sealed;

    /// @param previous earlier master secrets that this one replaced
    public WebhookSecrets(MasterSecret master, List<MasterSecret> previous) {
        this.sealed = new SealedSecrets("webhook/1", master, previous);
    }

    /// Generates a secret.
    Secret generate() {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Secret.of(PREFIX + Base64.getEncoder().encodeToString(bytes));
    }

    /// Parses a secret that the receiver already has (Standard Webhooks 1.0, "Signature scheme").
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed
    static Secret parse(String text) {
        try {
            int bytes = text.startsWith(PREFIX) ? bytes(Secret.of(text)).length : 0;
            if (bytes >= LEAST && bytes <= MOST) {
                return Secret.of(text);
            }
        } catch (IllegalArgumentException e) {
            // reported by the message below
        }
        throw Problem.invalid("format", "must be whsec_ followed by " + LEAST + " to " + MOST + " bytes in base64");
    }

    /// Returns the key for the receiver's signature.
    static byte[] bytes(Secret secret) {
        return Base64.getDecoder().decode(secret.expose().substring(PREFIX.length()));
    }

    String seal(UUID webhook, Secret secret) {
        return sealed.seal(webhook + "/secret", secret.expose().getBytes(StandardCharsets.US_ASCII));
    }

    /// @throws IllegalStateException if it was sealed under an unknown master secret
    Secret open(UUID webhook, String text) {
        return Secret.of(new String(opened(webhook, "/secret", text), StandardCharsets.US_ASCII));
    }

    /// @return empty if there are no headers
    Optional<String> seal(UUID webhook, OwnHeaders headers) {
        return headers.values().isEmpty()
                ? Optional.empty()
                : Optional.of(sealed.seal(webhook + HEADERS, headers.encode().getBytes(StandardCharsets.US_ASCII)));
    }

    /// @throws IllegalStateException if they were sealed under an unknown master secret
    OwnHeaders headers(UUID webhook, String text) {
        return OwnHeaders.decode(new String(opened(webhook, HEADERS, text), StandardCharsets.US_ASCII));
    }

    /// Returns the names of the headers; empty if they were sealed under an unknown master secret.
    List<String> headerNames(UUID webhook, String text) {
        return sealed.open(webhook + HEADERS, text)
                .map(bytes -> OwnHeaders.decode(new String(bytes, StandardCharsets.US_ASCII))
                        .names())
                .orElse(List.of());
    }

    private byte[] opened(UUID webhook, String what, String text) {
        return sealed.open(webhook + what, text)
                .orElseThrow(() -> new IllegalStateException("the webhook " + webhook
                        + " was created under another master key; add that key to previous-master-keys, or create the"
                        + " webhook again"));
    }
}
