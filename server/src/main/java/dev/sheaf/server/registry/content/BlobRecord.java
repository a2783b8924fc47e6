package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import dev.sheaf.server.blob.ObjectId;
import org.jspecify.annotations.Nullable;

/// A blob that a repository holds.
///
/// @param object contains its bytes; null if they are in the database
public record BlobRecord(
        long id, Digest digest, long size, @Nullable ObjectId object) {}
