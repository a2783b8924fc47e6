package dev.sheaf.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Whether files are executable, where the file system knows modes. Only the owner's bit counts.
final class FileModes {
    private FileModes() {}

    /// Whether the file system of `path`, which is there, keeps modes.
    static boolean areKept(Path path) throws IOException {
        return OwnerOnly.knowsModes(path);
    }

    /// Whether its owner may execute the file.
    static boolean isExecutable(Path file) throws IOException {
        return Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
                .contains(PosixFilePermission.OWNER_EXECUTE);
    }

    /// Whether the file has this mode; whatever is not known, or not kept here, is right.
    static boolean isRight(Path file, @Nullable Boolean executable) throws IOException {
        return executable == null || !areKept(file) || isExecutable(file) == executable;
    }

    /// Lets everybody execute a new file who may read it: 0644 becomes 0755, and 0600 becomes 0700. No other bit is
    /// ever set.
    static void makeExecutable(Path file) throws IOException {
        if (areKept(file)) {
            Files.setPosixFilePermissions(file, withExecution(Files.getPosixFilePermissions(file)));
        }
    }

    private static Set<PosixFilePermission> withExecution(Set<PosixFilePermission> mode) {
        var text = PosixFilePermissions.toString(mode).toCharArray();
        for (int i = 0; i < text.length; i += 3) {
            text[i + 2] = text[i] == 'r' ? 'x' : '-';
        }
        return PosixFilePermissions.fromString(new String(text));
    }
}
