package dev.sheaf.cli.work;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks that no other user but root can replace or change a folder, as OpenSSH does before it trusts a file.
final class PrivatePlace {
    private static final int GROUP_WRITES = 0020;
    private static final int OTHERS_WRITE = 0002;
    private static final int STICKY = 01000;

    private PrivatePlace() {}

    /// Returns why the folder is not private: who may change it, or a folder above it. Folders above it may be
    /// sticky, as /tmp is, because nobody can replace another user's entries there. Empty if the folder is
    /// private, or the system has no modes.
    ///
    /// @param folder its real path counts; if it does not exist, the folders above it that exist
    static Optional<String> problem(Path folder) throws IOException {
        Path existing = folder.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        Path real = existing.toRealPath();
        if (!real.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return Optional.empty();
        }
        long user = new UnixSystem().getUid();
        for (Path at = real; at != null; at = at.getParent()) {
            boolean above = !at.equals(real) || !existing.equals(folder.toAbsolutePath());
            var problem = problem(at, user, above);
            if (problem != null) {
                return Optional.of(problem);
            }
        }
        return Optional.empty();
    }

    private static @Nullable String problem(Path at, long user, boolean above) throws IOException {
        var attributes = Files.readAttributes(at, "unix:uid,mode,owner,group");
        long owner = Integer.toUnsignedLong((Integer) Objects.requireNonNull(attributes.get("uid")));
        int mode = (Integer) Objects.requireNonNull(attributes.get("mode"));
        if (owner != user && owner != 0) {
            return at + " belongs to another user, " + attributes.get("owner");
        }
        if (above && (mode & STICKY) != 0) {
            return null;
        }
        if ((mode & OTHERS_WRITE) != 0) {
            return "every user may write to " + at;
        }
        return (mode & GROUP_WRITES) == 0
                ? null
                : "the users of the group " + attributes.get("group") + " may write to " + at;
    }
}
