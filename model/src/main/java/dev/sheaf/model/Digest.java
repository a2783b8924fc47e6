package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// A content digest, `sha256:<64 hex>` or `sha512:<128 hex>`, lower case (OCI image-spec, "Digests"). Valid by
/// construction.
public record Digest(Algorithm algorithm, String hex) {
    /// The supported algorithms; the image-spec registers both.
    public enum Algorithm {
        SHA256("sha256", "SHA-256", 64),
        SHA512("sha512", "SHA-512", 128);

        private final String wire;
        private final String jca;
        private final int hexLength;

        Algorithm(String wire, String jca, int hexLength) {
            this.wire = wire;
            this.jca = jca;
            this.hexLength = hexLength;
        }

        /// Returns a new hash state. It is not thread-safe.
        public MessageDigest newHash() {
            try {
                return MessageDigest.getInstance(jca);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has " + jca, e);
            }
        }

        @Override
        public String toString() {
            return wire;
        }
    }

    public Digest {
        if (hex.length() != algorithm.hexLength || !isLowerHex(hex)) {
            throw Problem.invalid(
                    "format",
                    "the digest " + Quoted.of(hex) + " is not " + algorithm.hexLength + " lower-case hex characters");
        }
    }

    /// Parses a digest.
    ///
    /// @throws ProblemException validation-failed for an unknown algorithm or a malformed value
    public static Digest parse(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? "" : text.substring(0, colon);
        for (Algorithm algorithm : Algorithm.values()) {
            if (algorithm.wire.equals(name)) {
                return new Digest(algorithm, text.substring(colon + 1));
            }
        }
        throw Problem.invalid(
                "format",
                "the digest " + Quoted.of(text) + " must be sha256: or sha512:, followed by lower-case hex characters");
    }

    /// Returns the digest for the hex in a field `…Sha256` (contract 1.1).
    public static Digest ofSha256Hex(String hex) {
        return new Digest(Algorithm.SHA256, hex);
    }

    /// Returns the SHA-256 of these bytes.
    public static Digest sha256(byte[] bytes) {
        return of(Algorithm.SHA256, bytes);
    }

    /// Returns the digest of these bytes.
    public static Digest of(Algorithm algorithm, byte[] bytes) {
        return finish(algorithm, algorithm.newHash().digest(bytes));
    }

    /// Returns the digest for the bytes of a finished hash.
    public static Digest finish(Algorithm algorithm, byte[] raw) {
        return new Digest(algorithm, HexFormat.of().formatHex(raw));
    }

    private static boolean isLowerHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return algorithm.wire + ":" + hex;
    }
}
