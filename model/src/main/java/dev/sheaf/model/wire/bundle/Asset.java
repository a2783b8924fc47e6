package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An asset of a version, or of a bundle as it is being edited (contract 3.4: AssetSummary, and AssetDetail where the
/// text is there).
///
/// @param declaredType the publisher's own word for a kind that is none of those known, which is then `other`
/// @param contentSha256 bare lower-case hex
/// @param contentSizeBytes length of the content in bytes
/// @param sizeBytes the same number
/// @param executable whether the file's owner may execute it; null where that is not known, as of versions from before
/// modes were kept
/// @param contentText the content, where it was asked for and is text of at most 4 MiB
/// @param packed in a list of a version's assets, the files in one that is an archive; null: it is none, or they are
/// not known
public record Asset(
        UUID id,
        UUID bundleId,
        String assetType,
        @Nullable String declaredType,
        String logicalPath,
        String contentSha256,
        long contentSizeBytes,
        long sizeBytes,
        @Nullable String mediaType,
        @Nullable Boolean executable,
        Instant createdAt,
        @Nullable Instant updatedAt,
        @Nullable String contentText,
        @Nullable List<InnerFile> packed) {
    /// The same asset with its text.
    public Asset with(@Nullable String text) {
        return new Asset(
                id,
                bundleId,
                assetType,
                declaredType,
                logicalPath,
                contentSha256,
                contentSizeBytes,
                sizeBytes,
                mediaType,
                executable,
                createdAt,
                updatedAt,
                text,
                packed);
    }

    /// The same asset with the files that are in it.
    public Asset holding(List<InnerFile> files) {
        return new Asset(
                id,
                bundleId,
                assetType,
                declaredType,
                logicalPath,
                contentSha256,
                contentSizeBytes,
                sizeBytes,
                mediaType,
                executable,
                createdAt,
                updatedAt,
                contentText,
                files);
    }
}
