package dev.sheaf.client.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The executable modes of files, on file systems that support them. Only the owner's bit counts.
public final class FileModes {
    /// File systems that are known to keep modes. Others are tested: FAT, NTFS, network shares and user mounts
    /// may show every file with the same mode, or forget a change.
    private static final Set<String> FAITHFUL = Set.of(
            "apfs",
            "bcachefs",
            "btrfs",
            "ceph",
            "ext2",
            "ext3",
            "ext4",
            "f2fs",
            "hfs",
            "jfs",
            "nfs",
            "nfs4",
            "overlay",
            "ramfs",
            "reiserfs",
            "rootfs",
            "squashfs",
            "tmpfs",
            "ufs",
            "virtiofs",
            "xfs",
            "zfs");

    private static final FileAttribute<Set<PosixFilePermission>> EXECUTABLE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwxrwx"));

    private static final Map<FileStore, Boolean> KEPT = new ConcurrentHashMap<>();

    private FileModes() {}

    /// Returns whether the file system of `path`, which must exist, keeps modes. Each file system is tested
    /// once with a temporary file: in the first writable folder above, else in the folder itself. If no folder
    /// is writable, returns false: a missing execute permission is the smaller mistake.
    public static boolean areKept(Path path) throws IOException {
        var store = Files.getFileStore(path);
        if (!store.supportsFileAttributeView("posix")) {
            return false;
        }
        var known = KEPT.get(store);
        if (known == null) {
            known = FAITHFUL.contains(store.type()) || passesTest(store, path.toRealPath());
            KEPT.put(store, known);
        }
        return known;
    }

    private static boolean passesTest(FileStore store, Path path) throws IOException {
        Path folder = Files.isDirectory(path) ? path : Objects.requireNonNull(path.getParent());
        for (Path above = folder.getParent();
                above != null && Files.getFileStore(above).equals(store);
                above = above.getParent()) {
            var answer = test(above);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return test(folder).orElse(false);
    }

    /// Tests with a new file in the folder; empty if it cannot be created.
    private static Optional<Boolean> test(Path folder) throws IOException {
        Path file;
        try {
            file = Files.createTempFile(folder, ".sheaf-", ".tmp");
        } catch (IOException e) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    keeps(Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /// Returns whether a new file is not executable, and can be made executable and not executable again.
    static boolean keeps(PosixFileAttributeView fresh) {
        try {
            boolean atFirst = isExecutable(fresh);
            fresh.setPermissions(PosixFilePermissions.fromString("rwx------"));
            boolean set = isExecutable(fresh);
            fresh.setPermissions(PosixFilePermissions.fromString("rw-------"));
            return !atFirst && set && !isExecutable(fresh);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isExecutable(PosixFileAttributeView file) throws IOException {
        return file.readAttributes().permissions().contains(PosixFilePermission.OWNER_EXECUTE);
    }

    /// Returns whether the file's owner may execute it.
    public static boolean isExecutable(Path file) throws IOException {
        return Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
                .contains(PosixFilePermission.OWNER_EXECUTE);
    }

    /// Returns whether the file has this mode; true if the mode is unknown, or the file system does not keep
    /// modes.
    public static boolean isRight(Path file, @Nullable Boolean executable) throws IOException {
        return executable == null || !areKept(file) || isExecutable(file) == executable;
    }

    /// Creates a file with the usual mode, 0666 or 0777 less the umask. A mode that is given at the creation cannot
    /// reach another file, as a later change could in a folder that others may write to.
    public static OutputStream create(Path file, boolean executable) throws IOException {
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return Channels.newOutputStream(
                executable && areKept(Objects.requireNonNull(file.getParent()))
                        ? Files.newByteChannel(file, options, EXECUTABLE)
                        : Files.newByteChannel(file, options));
    }

    /// Lets everyone who may read a new file execute it: 0644 becomes 0755, and 0600 becomes 0700. Sets no other
    /// bits.
    public static void makeExecutable(Path file) throws IOException {
        if (areKept(file)) {
            set(file, withExecution(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)));
        }
    }

    /// Gives a new file the mode of the file that it replaces, so that the same users may read it.
    public static void keep(Path old, Path fresh) throws IOException {
        if (areKept(fresh)) {
            set(fresh, Files.getPosixFilePermissions(old, LinkOption.NOFOLLOW_LINKS));
        }
    }

    /// Changes the mode of a file, but not through a link that has replaced it. Only an open folder can do that:
    /// the attribute view of a path follows links whatever its options say.
    static void set(Path file, Set<PosixFilePermission> mode) throws IOException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        try (var held = Files.newDirectoryStream(folder)) {
            if (held instanceof SecureDirectoryStream<Path> secure) {
                secure.getFileAttributeView(file.getFileName(), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .setPermissions(mode);
            } else {
                Files.setPosixFilePermissions(file, mode);
            }
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
