package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a publish would come to (contract 3.4, `validateOnly`).
///
/// @param outcome `created`, `identical` (the version is there with the same content) or `refused`
/// @param ociDigest of the manifest that the version would have; null where there is nothing to publish
/// @param problems all that stands against it; empty unless it would be refused
public record PublishReport(
        boolean valid,
        String outcome,
        String version,
        @Nullable String ociDigest,
        int assetCount,
        long sizeBytes,
        List<Finding> problems,
        List<VersionDetail.Warning> warnings) {
    /// Named as in the errors of a refused request, `field` and `message` for older readers.
    public record Finding(String pointer, String field, String code, String detail, String message) {}
}
