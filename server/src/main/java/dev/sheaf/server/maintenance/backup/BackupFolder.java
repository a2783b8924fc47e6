package dev.sheaf.server.maintenance.backup;

import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A directory of backups. Each backup is a subdirectory named by its time. All backups share the content in
/// `objects/`, which contains every object once. The name of an unfinished backup ends in `.partial`; it does
/// not count.
public record BackupFolder(Path root) {
    private static final Pattern NAME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}Z");
    private static final String PARTIAL = ".partial";

    /// Returns the finished backups, the newest last.
    public List<Path> backups() {
        return named(name -> NAME.matcher(name).matches());
    }

    /// Returns the newest finished backup.
    public Optional<Path> latest() {
        var all = backups();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    private interface Choice {
        boolean accepts(String name);
    }

    private List<Path> named(Choice choice) {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (var entries = Files.list(root)) {
            return entries.filter(entry -> choice.accepts(entry.getFileName().toString()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the directory with the content of a backup.
    static Path objectsOf(Path backup) {
        return backup.toAbsolutePath().normalize().resolveSibling("objects");
    }

    /// Returns the path of an object by its digest, even if the file is missing.
    static Path object(Path objects, Digest digest) {
        return objects.resolve(digest.hex().substring(0, 2))
                .resolve(digest.toString().replace(':', '-'));
    }

    Path objects() {
        return root.resolve("objects");
    }

    /// Opens a file of a backup. Refuses symbolic links, so that a person who can write to the directory cannot
    /// make the restore read other files, and pipes, which would make it wait for ever.
    static InputStream open(Path file) throws IOException {
        if (!isFile(file)) {
            throw new NoSuchFileException(file.toString());
        }
        return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Returns the length in bytes; -1 if the file is missing, a symbolic link or in a linked directory.
    static long size(Path file) {
        try {
            return isFile(file) ? Files.size(file) : -1;
        } catch (IOException e) {
            return -1;
        }
    }

    private static boolean isFile(Path file) {
        return Files.isDirectory(file.resolveSibling(""), LinkOption.NOFOLLOW_LINKS)
                && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Begins a backup with this name, after deleting earlier unfinished ones.
    Path begin(String name) throws IOException {
        for (Path left : named(entry -> entry.endsWith(PARTIAL))) {
            delete(left);
        }
        return PrivateFiles.folder(root.resolve(name + PARTIAL));
    }

    /// Marks a backup as finished.
    Path finish(Path begun) throws IOException {
        String name = begun.getFileName().toString();
        Path finished = root.resolve(name.substring(0, name.length() - PARTIAL.length()));
        sync(begun);
        Files.move(begun, finished);
        sync(root);
        return finished;
    }

    /// Makes the entries of a directory durable.
    static void sync(Path folder) throws IOException {
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// Locks the directory against other backups until the result is closed.
    ///
    /// @throws dev.sheaf.model.ProblemException conflict if another backup is being written
    FileChannel lock() throws IOException {
        PrivateFiles.folder(root);
        if (!PrivateFiles.close(root)) {
            throw BackupErrors.backup("other users of this machine can read " + root
                    + ", which belongs to another user; make it private (chmod 700), or name another directory");
        }
        var channel = PrivateFiles.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw BackupErrors.backup("another backup is being written to " + root + "; wait until it has ended");
        }
        return channel;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // this process holds the lock
        }
    }

    /// Deletes all but the newest backups, and the content that only the others needed.
    ///
    /// @return how many backups and how many objects were deleted
    Pruned prune(int keep) throws IOException {
        var all = backups();
        var old = all.subList(0, Math.max(0, all.size() - keep));
        if (old.isEmpty()) {
            return new Pruned(0, 0);
        }
        var needed = new DigestSet();
        for (Path backup : all.subList(old.size(), all.size())) {
            JsonLines.read(
                    backup.resolve(Backup.OBJECTS), row -> needed.add(Digest.parse(String.valueOf(row.get("digest")))));
        }
        needed.sort();
        for (Path backup : old) {
            Path gone = backup.resolveSibling(backup.getFileName() + PARTIAL);
            Files.move(backup, gone); // a partly deleted backup must not count
            sync(root);
            delete(gone);
        }
        var objects = new ArrayList<Path>();
        try (var files = Files.walk(objects(), 2)) {
            files.filter(Files::isRegularFile)
                    .filter(file -> !needed.contains(file.getFileName().toString()))
                    .forEach(objects::add);
        }
        for (Path object : objects) {
            Files.delete(object);
        }
        return new Pruned(old.size(), objects.size());
    }

    record Pruned(int backups, int objects) {}
}
