package dev.sheaf.server.registry.referrer;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A signature that refers to a manifest. Only its existence is known: it has not been verified.
///
/// @param signer the program whose format it has, `cosign` or `notation`
/// @param at when this registry received it
public record Signature(String signer, Instant at) {
    private static final String SIGSTORE_BUNDLE = "application/vnd.dev.sigstore.bundle.v0.3+json";

    /// Programs by artifact type. Manifests of these types are signatures, except that a Sigstore bundle may be
    /// another statement.
    static final Map<String, String> SIGNERS = Map.of(
            SIGSTORE_BUNDLE,
            "cosign",
            "application/vnd.dev.cosign.artifact.sig.v1+json",
            "cosign",
            "application/vnd.cncf.notary.signature",
            "notation");

    /// Returns the program whose format a manifest has; empty if the manifest is not a signature.
    ///
    /// @param artifactType one of [#SIGNERS]
    /// @param annotations the manifest's own, as canonical JSON, where an escaped quote within a text cannot be
    /// mistaken for one around it
    static Optional<String> signer(String artifactType, @Nullable String annotations) {
        boolean signs = !artifactType.equals(SIGSTORE_BUNDLE) || annotations != null && isSignature(annotations);
        return Optional.ofNullable(SIGNERS.get(artifactType)).filter(signer -> signs);
    }

    /// Follows Cosign's Bundle Specification, "OCI Image Manifest annotations".
    private static boolean isSignature(String annotations) {
        return annotations.contains("\"dev.sigstore.bundle.content\":\"message-signature\"")
                || annotations.contains(
                        "\"dev.sigstore.bundle.predicateType\":\"https://sigstore.dev/cosign/sign/v1\"");
    }
}
