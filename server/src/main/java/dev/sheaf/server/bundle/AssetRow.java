package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An asset of a version, as it is stored. Immutable like its version.
///
/// @param declaredType the publisher's own word for the type, where [AssetType] does not know it
/// @param executable whether the file's owner may execute it; null where that is not known, as of what was stored
/// before modes were kept
public record AssetRow(
        UUID id,
        LogicalPath path,
        AssetType assetType,
        @Nullable String declaredType,
        Digest digest,
        long size,
        String mediaType,
        @Nullable Boolean executable) {}
