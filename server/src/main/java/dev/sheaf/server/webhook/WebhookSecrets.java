package dev.sheaf.server.webhook;

import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.Sealed;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// What of a webhook is secret, as it is stored: sealed, and good for that webhook only. Thread-safe.
public final class WebhookSecrets {
    private static final String PREFIX = "whsec_";
    private static final String HEADERS = "/headers";
    private static final int BYTES = 32;
    private static final int LEAST = 24;
    private static final int MOST = 64;

    private final SecureRandom random = new SecureRandom();
    private final Sealed sealed;

    /// @param previous master secrets that this one replaced
    public WebhookSecrets(MasterSecret master, List<MasterSecret> previous) {
        this.sealed = new Sealed("webhook/1", master, previous);
    }

    /// A new one.
    Secret generate() {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Secret.of(PREFIX + Base64.getEncoder().encodeToString(bytes));
    }

    /// One that a receiver has already (Standard Webhooks 1.0, "Signature scheme").
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed
    static Secret parse(String text) {
        try {
            int bytes = text.startsWith(PREFIX) ? bytes(Secret.of(text)).length : 0;
            if (bytes >= LEAST && bytes <= MOST) {
                return Secret.of(text);
            }
        } catch (IllegalArgumentException e) {
            // falls through to the one message
        }
        throw Problem.invalid("format", "must be whsec_ and " + LEAST + " to " + MOST + " bytes in base64");
    }

    /// What the receiver computes the signature with.
    static byte[] bytes(Secret secret) {
        return Base64.getDecoder().decode(secret.expose().substring(PREFIX.length()));
    }

    String seal(UUID webhook, Secret secret) {
        return sealed.seal(webhook + "/secret", secret.expose().getBytes(StandardCharsets.US_ASCII));
    }

    /// @throws IllegalStateException where it was sealed under a master secret that is not known
    Secret open(UUID webhook, String text) {
        return Secret.of(new String(opened(webhook, "/secret", text), StandardCharsets.US_ASCII));
    }

    /// @return empty where there are none
    Optional<String> seal(UUID webhook, OwnHeaders headers) {
        return headers.values().isEmpty()
                ? Optional.empty()
                : Optional.of(sealed.seal(webhook + HEADERS, headers.encode().getBytes(StandardCharsets.US_ASCII)));
    }

    /// @throws IllegalStateException where they were sealed under a master secret that is not known
    OwnHeaders headers(UUID webhook, String text) {
        return OwnHeaders.decode(new String(opened(webhook, HEADERS, text), StandardCharsets.US_ASCII));
    }

    /// Their names; none where they were sealed under a master secret that is not known.
    List<String> headerNames(UUID webhook, String text) {
        return sealed.open(webhook + HEADERS, text)
                .map(bytes -> OwnHeaders.decode(new String(bytes, StandardCharsets.US_ASCII))
                        .names())
                .orElse(List.of());
    }

    private byte[] opened(UUID webhook, String what, String text) {
        return sealed.open(webhook + what, text)
                .orElseThrow(() -> new IllegalStateException("the webhook " + webhook
                        + " was made under another master key; name that one in previous-master-keys, or make the"
                        + " webhook anew"));
    }
}
