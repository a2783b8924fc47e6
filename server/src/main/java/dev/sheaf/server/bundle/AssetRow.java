package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.util.UUID;

/// An asset of a version, as it is stored. Immutable like its version.
public record AssetRow(UUID id, LogicalPath path, AssetType assetType, Digest digest, long size, String mediaType) {}
