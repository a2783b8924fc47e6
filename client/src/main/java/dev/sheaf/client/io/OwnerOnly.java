package dev.sheaf.client.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// Creates files and folders that only their owner can access, on file systems with modes. On other file
/// systems, the rules of the parent folder apply.
public final class OwnerOnly {
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private OwnerOnly() {}

    /// Creates the folder and missing parents with mode 0700; existing ones are not changed.
    public static void makeFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, mode(existing(folder), "rwx------"));
        }
    }

    /// Creates a file in `folder` with mode 0600.
    public static Path makeFile(Path folder) throws IOException {
        return Files.createTempFile(folder, ".new-", "", mode(folder, "rw-------"));
    }

    /// Gives a file that only its owner can access the usual mode 0644.
    public static void shareAsUsual(Path file) throws IOException {
        if (FileModes.areKept(file)) { // FAT refuses to change modes
            FileModes.set(file, PosixFilePermissions.fromString("rw-r--r--"));
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
