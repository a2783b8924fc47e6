package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import org.jspecify.annotations.Nullable;

/// An asset of a version that is being published.
///
/// @param declaredType the publisher's own word for the type, where [AssetType] does not know it
public record NewAsset(
        LogicalPath path, AssetType type, @Nullable String declaredType, Digest digest, long size, String mediaType) {}
