package dev.sheaf.server.registry.content;

import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.model.Digest;
import org.jspecify.annotations.Nullable;

/// A blob that a repository holds.
///
/// @param object contains its bytes; null if they are in the database
public record BlobRecord(
        long id, Digest digest, long size, @Nullable ObjectId object) {}
