package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An asset of a version, or one of a bundle's working assets (contract 3.4: AssetSummary, and AssetDetail if the
/// text is present).
///
/// @param declaredType the publisher's word if the kind was unknown; the kind is then `other`
/// @param contentSha256 bare lower-case hex
/// @param contentSizeBytes the length of the content in bytes
/// @param sizeBytes the same number
/// @param executable whether the file's owner may execute it; null if this is unknown, as in versions that were
/// published before file modes were stored
/// @param contentText the content, if it was requested and is text of at most 4 MiB
/// @param packed the files in an asset that is an archive, only in a list of a version's assets; null if it is
/// not an archive or its files are not known
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
    /// Returns a copy with this text.
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

    /// Returns a copy with these files in the archive.
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
