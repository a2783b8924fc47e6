package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A whole version in one answer (contract 3.2).
public record PulledBundle(
        String namespace,
        String slug,
        String version,
        String name,
        @Nullable String description,
        String ociDigest,
        List<Asset> manifest) {
    /// `contentText` is byte-exact and never null; a binary asset has `""` there and its bytes in `contentBase64`.
    ///
    /// @param executable as of a [Layer]
    public record Asset(
            String logicalPath,
            String assetType,
            String contentText,
            @Nullable String mediaType,
            String contentSha256,
            long sizeBytes,
            @Nullable Boolean executable,
            @Nullable String contentBase64) {}
}
