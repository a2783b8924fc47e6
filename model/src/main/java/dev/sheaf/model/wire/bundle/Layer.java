package dev.sheaf.model.wire.bundle;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An asset of a version (contract 3.1).
///
/// @param contentSha256 bare lower-case hex
/// @param sizeBytes length of the content in bytes
/// @param executable whether the file's owner may execute it; null if unknown, as in versions from before modes
/// were kept
public record Layer(
        UUID assetId,
        String logicalPath,
        String assetType,
        String contentSha256,
        long sizeBytes,
        @Nullable String mediaType,
        @Nullable Boolean executable) {}
