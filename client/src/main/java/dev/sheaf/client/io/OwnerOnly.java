package dev.sheaf.client.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// Files and folders that only their owner can reach, where the file system knows modes; elsewhere the rules of the
/// folder above hold.
public final class OwnerOnly {
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private OwnerOnly() {}

    /// Makes the folder and those above it that are missing, mode 0700; what exists stays as it is.
    public static void makeFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, mode(existing(folder), "rwx------"));
        }
    }

    /// A new file in `folder`, mode 0600.
    public static Path makeFile(Path folder) throws IOException {
        return Files.createTempFile(folder, ".new-", "", mode(folder, "rw-------"));
    }

    /// Gives a file that was made for its owner alone the mode that a file of everyday work has, 0644.
    public static void shareAsUsual(Path file) throws IOException {
        if (FileModes.areKept(file)) { // FAT refuses others than it has
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
    }

    public static boolean holdsFor(Path file) throws IOException {
        return !knowsModes(file) || OWNER.containsAll(Files.getPosixFilePermissions(file));
    }

    private static FileAttribute<?>[] mode(Path place, String mode) throws IOException {
        return knowsModes(place)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    private static Path existing(Path folder) {
        Path path = folder.toAbsolutePath();
        while (!Files.exists(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }

    private static boolean knowsModes(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView("posix");
    }
}
