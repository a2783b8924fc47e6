package dev.sheaf.model.wire.webhook;

import java.util.List;

/// The public keys of the signatures `v1a` (Standard Webhooks 1.0), the current key first.
public record WebhookKeys(List<Key> keys) {
    public WebhookKeys {
        keys = List.copyOf(keys);
    }

    /// A key as a JWK (RFC 8037, section 2), and in the form of Standard Webhooks.
    ///
    /// @param publicKey `whpk_`, followed by the 32 bytes of the key in base64
    public record Key(String kty, String crv, String use, String alg, String kid, String x, String publicKey) {}
}
