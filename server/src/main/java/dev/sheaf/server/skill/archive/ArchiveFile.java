package dev.sheaf.server.skill.archive;

import dev.sheaf.model.Digest;

/// A file as an archive holds it.
///
/// @param path from the archive's root
/// @param size in bytes
public record ArchiveFile(String path, boolean executable, Digest digest, long size) {
    /// Of the file's permissions, as Unix has them.
    int mode() {
        return executable ? 0755 : 0644;
    }
}
