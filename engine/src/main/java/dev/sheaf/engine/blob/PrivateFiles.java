package dev.sheaf.engine.blob;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Creates files and folders that only their owner can read, whatever the umask: a node stores data of other
/// people.
public final class PrivateFiles {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER_MODE =
            PosixFilePermissions.asFileAttribute(FOLDER);
    private static final FileAttribute<Set<PosixFilePermission>> FILE_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<PosixFilePermission> OF_OTHERS = Set.of(
            PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);

    private PrivateFiles() {}

    /// Creates a folder and its missing parents. An existing folder keeps its mode.
    public static Path folder(Path folder) throws IOException {
        return Files.isDirectory(folder) ? folder : Files.createDirectories(folder, FOLDER_MODE);
    }

    /// Opens a file. A file that this creates has the mode 600.
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), FILE_MODE);
    }

    /// Creates an empty file if it is missing.
    public static void touch(Path file) throws IOException {
        open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    }

    /// Closes a folder to everybody except its owner. If it belongs to another user, it may stay open to a group,
    /// as mounted volumes are; files created in it are private anyway.
    ///
    /// @return false if others can still enter
    public static boolean close(Path folder) throws IOException {
        if (Files.getPosixFilePermissions(folder).equals(FOLDER)) {
            return true;
        }
        try {
            Files.setPosixFilePermissions(folder, FOLDER);
            return true;
        } catch (IOException e) { // it belongs to another user
            return Files.getPosixFilePermissions(folder).stream().noneMatch(OF_OTHERS::contains);
        }
    }
}
