package dev.sheaf.model.wire.bundle;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An asset of a version (contract 3.1).
///
/// @param contentSha256 bare lower-case hex
/// @param sizeBytes the length of the content in bytes
/// @param executable whether the file's owner may execute it; null if this is unknown, as in versions that were
/// published before file modes were stored
public record Layer(
        UUID assetId,
        String logicalPath,
        String assetType,
        String contentSha256,
        long sizeBytes,
        @Nullable String mediaType,
        @Nullable Boolean executable) {}
