package dev.sheaf.server.blob;

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

/// Makes files and folders that their owner alone can read, whatever the umask is: what a node keeps is other
/// people's.
public final class PrivateFiles {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER_MODE =
            PosixFilePermissions.asFileAttribute(FOLDER);
    private static final FileAttribute<Set<PosixFilePermission>> FILE_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<PosixFilePermission> OF_OTHERS = Set.of(
            PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);

    private PrivateFiles() {}

    /// Makes the folder and those above it where they are missing. One that is there keeps its mode.
    public static Path folder(Path folder) throws IOException {
        return Files.isDirectory(folder) ? folder : Files.createDirectories(folder, FOLDER_MODE);
    }

    /// Opens a file; one that this makes has the mode 600.
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), FILE_MODE);
    }

    /// Makes an empty file where none is.
    public static void touch(Path file) throws IOException {
        open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    }

    /// Closes a folder to everybody but its owner. Where that belongs to another user, it may stay open to a group,
    /// as a mounted volume is: what is made in it is not.
    ///
    /// @return false where others can still enter
    public static boolean close(Path folder) throws IOException {
        if (Files.getPosixFilePermissions(folder).equals(FOLDER)) {
            return true;
        }
        try {
            Files.setPosixFilePermissions(folder, FOLDER);
            return true;
        } catch (IOException e) { // it is another user's
            return Files.getPosixFilePermissions(folder).stream().noneMatch(OF_OTHERS::contains);
        }
    }
}
