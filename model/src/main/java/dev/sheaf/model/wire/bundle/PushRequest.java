package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The body of push (contract 3.5): a whole bundle in one request.
///
/// @param visibility of a bundle that is new; null: private, or as it is
public record PushRequest(
        String slug,
        String name,
        @Nullable String description,
        @Nullable String visibility,
        String version,
        @Nullable String readmeContent,
        @Nullable String readmeFormat,
        @Nullable List<String> tags,
        List<Asset> manifest) {
    /// Content is `contentText` (stored as UTF-8, byte-exact) or `contentBase64`; a supplied hash is checked.
    ///
    /// @param executable whether the file's owner may execute it; null: no
    public record Asset(
            String logicalPath,
            String assetType,
            @Nullable String contentText,
            @Nullable String contentBase64,
            @Nullable String mediaType,
            @Nullable String contentSha256,
            @Nullable Boolean executable) {}
}
