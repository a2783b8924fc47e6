package dev.sheaf.server.auth.jwk;

import java.util.List;

/// Public keys as they are published (RFC 7517, section 5; RFC 8037, section 2).
public record JwkSet(List<Key> keys) {
    /// @param x the public key, base64url
    public record Key(String kty, String crv, String use, String alg, String kid, String x) {
        public static Key of(Ed25519Key pair) {
            return new Key("OKP", "Ed25519", "sig", "EdDSA", pair.id(), pair.x());
        }
    }

    public JwkSet {
        keys = List.copyOf(keys);
    }
}
