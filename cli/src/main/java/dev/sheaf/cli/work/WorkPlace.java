package dev.sheaf.cli.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// The private folder of one worker, with a folder for each job. A lock shows that the worker is alive; the
/// next worker deletes the folder of a killed one. Thread-safe.
final class WorkPlace implements AutoCloseable {
    private static final String PREFIX = "sheaf-work-";
    private static final String LOCK = "lock";

    private final Path folder;
    private final FileChannel channel;

    private WorkPlace(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /// Creates the folder.
    ///
    /// @param parent the folder for it; null means the system's temporary folder
    static WorkPlace make(@Nullable Path parent) {
        try {
            Path place = parent == null ? Path.of(System.getProperty("java.io.tmpdir")) : parent;
            OwnerOnly.makeFolder(place);
            clean(place);
            Path folder = Files.createTempDirectory(place.toRealPath(), PREFIX); // mode 0700
            var channel =
                    FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                throw new IOException("cannot lock " + folder.resolve(LOCK));
            }
            return new WorkPlace(folder, channel);
        } catch (IOException e) {
            throw new SheafException.Local("cannot make a folder to work in: " + e.getMessage(), e);
        }
    }

    Path folder() {
        return folder;
    }

    /// Creates a folder for one try of a job.
    Path job(String name) throws IOException {
        Path made = folder.resolve(name);
        delete(made);
        OwnerOnly.makeFolder(made);
        return made;
    }

    /// Deletes the folders of dead workers of this user.
    private static void clean(Path parent) throws IOException {
        var found = new ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(parent, PREFIX + "*")) {
            entries.forEach(found::add);
        }
        for (Path left : found) {
            if (Files.isDirectory(left, LinkOption.NOFOLLOW_LINKS) && isLeft(left)) {
                delete(left);
            }
        }
    }

    private static boolean isLeft(Path left) {
        Path lock = left.resolve(LOCK);
        if (!Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
            return false; // of another program, or just being created
        }
        try (var channel = FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock held = channel.tryLock()) {
            return held != null;
        } catch (IOException | OverlappingFileLockException e) {
            return false; // another user's, or another worker of this process
        }
    }

    /// Deletes a file or folder as far as possible, without following links. Makes unreadable folders readable
    /// first.
    static void delete(Path path) {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    open(directory);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (!(failure instanceof NoSuchFileException) && open(file)) {
                        delete(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                        throws IOException {
                    try {
                        Files.deleteIfExists(directory);
                    } catch (DirectoryNotEmptyException e) {
                        return FileVisitResult.CONTINUE; // something still writes there
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            // the next worker tries again
        }
    }

    private static boolean open(Path directory) {
        try {
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
                return Files.isReadable(directory);
            }
            return false;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // the lock ends with the process
        }
        delete(folder);
    }
}
