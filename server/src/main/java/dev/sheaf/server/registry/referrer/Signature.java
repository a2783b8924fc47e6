package dev.sheaf.server.registry.referrer;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A signature that refers to a manifest. That it is there is all that is known: nobody has verified it.
///
/// @param signer the program whose format it has, `cosign` or `notation`
/// @param at when it came to this registry
public record Signature(String signer, Instant at) {
    private static final String SIGSTORE_BUNDLE = "application/vnd.dev.sigstore.bundle.v0.3+json";

    /// By artifact type. What stands here is a signature, except that a Sigstore bundle may be another statement.
    static final Map<String, String> SIGNERS = Map.of(
            SIGSTORE_BUNDLE,
            "cosign",
            "application/vnd.dev.cosign.artifact.sig.v1+json",
            "cosign",
            "application/vnd.cncf.notary.signature",
            "notation");

    /// Whose format a manifest has; empty where it is no signature.
    ///
    /// @param artifactType one of [#SIGNERS]
    /// @param annotations the manifest's own, as canonical JSON, in which no quote within a text looks like one
    /// around it
    static Optional<String> signer(String artifactType, @Nullable String annotations) {
        boolean signs = !artifactType.equals(SIGSTORE_BUNDLE) || annotations != null && isSignature(annotations);
        return Optional.ofNullable(SIGNERS.get(artifactType)).filter(signer -> signs);
    }

    /// Cosign's Bundle Specification, "OCI Image Manifest annotations".
    private static boolean isSignature(String annotations) {
        return annotations.contains("\"dev.sigstore.bundle.content\":\"message-signature\"")
                || annotations.contains(
                        "\"dev.sigstore.bundle.predicateType\":\"https://sigstore.dev/cosign/sign/v1\"");
    }
}
