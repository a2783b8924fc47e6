package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import dev.sheaf.server.blob.ObjectId;
import org.jspecify.annotations.Nullable;

/// A blob that a repository holds.
///
/// @param object where its bytes are; null: in the database
public record BlobRecord(
        long id, Digest digest, long size, @Nullable ObjectId object) {}
