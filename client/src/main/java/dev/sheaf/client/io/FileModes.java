package dev.sheaf.client.io;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Whether files are executable, where the file system knows modes. Only the owner's bit counts.
public final class FileModes {
    /// File systems that are what they say. Others are asked: FAT, NTFS, shares of other systems and what a user
    /// mounts may show every file with the same mode, or forget what it is set to.
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

    private static final Map<FileStore, Boolean> KEPT = new ConcurrentHashMap<>();

    private FileModes() {}

    /// Whether the file system of `path`, which is there, keeps modes. Each file system is asked once, by a file
    /// that is made for that and gone again then: in the first folder above where one can be, else in the folder
    /// itself. Where none can be made, the answer is no: that nothing is executable is the smaller mistake.
    public static boolean areKept(Path path) throws IOException {
        var store = Files.getFileStore(path);
        if (!store.supportsFileAttributeView("posix")) {
            return false;
        }
        var known = KEPT.get(store);
        if (known == null) {
            known = FAITHFUL.contains(store.type()) || isTried(store, path.toRealPath());
            KEPT.put(store, known);
        }
        return known;
    }

    private static boolean isTried(FileStore store, Path path) throws IOException {
        Path folder = Files.isDirectory(path) ? path : Objects.requireNonNull(path.getParent());
        for (Path above = folder.getParent();
                above != null && Files.getFileStore(above).equals(store);
                above = above.getParent()) {
            var answer = tried(above);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return tried(folder).orElse(false);
    }

    /// What a new file in the folder tells; empty where none can be made.
    private static Optional<Boolean> tried(Path folder) throws IOException {
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

    /// Whether a new file, which nobody may execute, becomes executable and no longer so as it is told to.
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

    /// Whether its owner may execute the file.
    public static boolean isExecutable(Path file) throws IOException {
        return Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
                .contains(PosixFilePermission.OWNER_EXECUTE);
    }

    /// Whether the file has this mode; whatever is not known, or not kept here, is right.
    public static boolean isRight(Path file, @Nullable Boolean executable) throws IOException {
        return executable == null || !areKept(file) || isExecutable(file) == executable;
    }

    /// Lets everybody execute a new file who may read it: 0644 becomes 0755, and 0600 becomes 0700. No other bit is
    /// ever set.
    public static void makeExecutable(Path file) throws IOException {
        if (areKept(file)) {
            Files.setPosixFilePermissions(file, withExecution(Files.getPosixFilePermissions(file)));
        }
    }

    /// Gives a new file the mode of the one that it replaces: who may read that may read this, and nobody else.
    public static void keep(Path old, Path fresh) throws IOException {
        if (areKept(fresh)) {
            Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(old, LinkOption.NOFOLLOW_LINKS));
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
