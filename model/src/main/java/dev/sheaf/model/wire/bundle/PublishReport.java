package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result that a publish would have (contract 3.4, `validateOnly`).
///
/// @param outcome `created`, `identical` (the version exists with the same content) or `refused`
/// @param wouldBeHeld whether the version would need approval before readers get it
/// @param ociDigest the digest of the manifest that the version would have; null if there is nothing to publish
/// @param problems all reasons for refusing it; empty if it would not be refused
/// @param findings those for which the policy would refuse it or have it wait for approval
public record PublishReport(
        boolean valid,
        String outcome,
        boolean wouldBeHeld,
        String version,
        @Nullable String ociDigest,
        int assetCount,
        long sizeBytes,
        List<Finding> problems,
        List<ScanFinding> findings,
        List<VersionDetail.Warning> warnings) {
    /// An error, with the members of a refused request's errors; `field` and `message` are for older clients.
    public record Finding(String pointer, String field, String code, String detail, String message) {}
}
