package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A whole version in one response (contract 3.2).
///
/// @param requires other bundles that the version needs, by name; null if there are none
public record PulledBundle(
        String namespace,
        String slug,
        String version,
        String name,
        @Nullable String description,
        String ociDigest,
        List<Asset> manifest,
        @Nullable List<RequiredBundle> requires) {
    /// An asset. `contentText` is byte-exact and never null; for a binary asset it is `""`, and the bytes are in
    /// `contentBase64`.
    ///
    /// @param executable see [Layer]
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
