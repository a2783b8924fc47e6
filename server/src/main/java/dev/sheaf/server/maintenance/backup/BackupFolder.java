package dev.sheaf.server.maintenance.backup;

import dev.sheaf.model.Digest;
import dev.sheaf.server.blob.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A folder of backups: each is a folder named by its time, and the content of all of them lies once in `objects/`.
/// A backup that was not finished has `.partial` behind its name and counts for nothing.
public record BackupFolder(Path root) {
    private static final Pattern NAME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}Z");
    private static final String PARTIAL = ".partial";

    /// The finished backups, the newest last.
    public List<Path> backups() {
        return named(name -> NAME.matcher(name).matches());
    }

    /// The newest finished one.
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

    /// The folder that a backup's content lies in, from the backup's own.
    static Path objectsOf(Path backup) {
        return backup.toAbsolutePath().normalize().resolveSibling("objects");
    }

    /// Where the bytes of a digest are, whether they are there or not.
    static Path object(Path objects, Digest digest) {
        return objects.resolve(digest.hex().substring(0, 2))
                .resolve(digest.toString().replace(':', '-'));
    }

    Path objects() {
        return root.resolve("objects");
    }

    /// Reads a file of a backup, which is no link: whoever can write there must not choose what is read elsewhere.
    static InputStream open(Path file) throws IOException {
        return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Its length in bytes, or -1 where there is no such file, or only a link.
    static long size(Path file) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : -1;
        } catch (IOException e) {
            return -1;
        }
    }

    /// Begins a backup of that name, after clearing away what earlier ones left that did not end.
    Path begin(String name) throws IOException {
        for (Path left : named(entry -> entry.endsWith(PARTIAL))) {
            delete(left);
        }
        return PrivateFiles.folder(root.resolve(name + PARTIAL));
    }

    /// Makes a begun backup count.
    Path finish(Path begun) throws IOException {
        String name = begun.getFileName().toString();
        Path finished = root.resolve(name.substring(0, name.length() - PARTIAL.length()));
        sync(begun);
        Files.move(begun, finished);
        sync(root);
        return finished;
    }

    /// Makes a folder's entries survive a power loss.
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

    /// Keeps other backups out of the folder until it is closed.
    ///
    /// @throws dev.sheaf.model.ProblemException conflict, where another one is being written
    FileChannel lock() throws IOException {
        PrivateFiles.folder(root);
        if (!PrivateFiles.close(root)) {
            throw BackupErrors.backup("other users of this machine can read " + root
                    + ", which is not this user's; make it private (chmod 700), or name another folder");
        }
        var channel = PrivateFiles.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw BackupErrors.backup("another backup is being written to " + root + "; wait for its end");
        }
        return channel;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // this very process has it
        }
    }

    /// Removes all but the newest backups, and the content that only the others needed.
    ///
    /// @return how many backups and how many objects went
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
            Files.move(backup, gone); // half of it is none
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
