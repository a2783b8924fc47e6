package dev.sheaf.server.skill.archive;

import dev.sheaf.model.Digest;

/// A file in an archive.
///
/// @param path the path from the archive's root
/// @param size in bytes
public record ArchiveFile(String path, boolean executable, Digest digest, long size) {
    /// Returns the Unix permissions.
    int mode() {
        return executable ? 0755 : 0644;
    }
}
