package dev.sheaf.model.archive;

import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;

/// A file in an archive.
///
/// @param mode the file's Unix permissions
/// @param size the size in bytes
public record PackedFile(LogicalPath path, int mode, Digest digest, long size) {
    private static final int OWNER_EXECUTES = 0100;

    /// Returns whether its owner may execute it.
    public boolean isExecutable() {
        return (mode & OWNER_EXECUTES) != 0;
    }
}
