package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The request to push a whole bundle (contract 3.5).
///
/// @param visibility the visibility of a new bundle; null means private for a new bundle and no change for an
/// existing one
/// @param message what is new in the version, for people
/// @param requires other bundles that the version needs; null means none
public record PushRequest(
        String slug,
        String name,
        @Nullable String description,
        @Nullable String visibility,
        String version,
        @Nullable String readmeContent,
        @Nullable String readmeFormat,
        @Nullable String message,
        @Nullable List<String> tags,
        List<Asset> manifest,
        @Nullable List<RequiredBundle> requires) {
    /// An asset. Its content is `contentText` (stored as UTF-8, byte-exact) or `contentBase64`. The registry
    /// checks `contentSha256` if it is present.
    ///
    /// @param executable whether the file's owner may execute it; null means no
    public record Asset(
            String logicalPath,
            String assetType,
            @Nullable String contentText,
            @Nullable String contentBase64,
            @Nullable String mediaType,
            @Nullable String contentSha256,
            @Nullable Boolean executable) {}
}
