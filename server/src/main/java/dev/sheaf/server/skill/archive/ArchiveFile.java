package dev.sheaf.server.skill.archive;

import dev.sheaf.model.Digest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A file in an archive.
///
/// @param path the path from the archive's root
/// @param size in bytes
/// @param text its content, if the repository has no such file; otherwise null
public record ArchiveFile(
        String path,
        boolean executable,
        Digest digest,
        long size,
        @Nullable String text) {
    /// A file of the repository.
    public ArchiveFile(String path, boolean executable, Digest digest, long size) {
        this(path, executable, digest, size, null);
    }

    /// Returns a file that the repository does not have.
    public static ArchiveFile derived(String path, byte[] content) {
        return new ArchiveFile(
                path, false, Digest.sha256(content), content.length, new String(content, StandardCharsets.UTF_8));
    }

    /// Returns the Unix permissions.
    int mode() {
        return executable ? 0755 : 0644;
    }
}
