package dev.sheaf.client.folder;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.client.io.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The folder in a [TargetFolder] that is the client's own. Files gather in it and move to their places by
/// rename once all are there; [#close] removes what has gathered.
///
/// ```
/// .sheaf/pulled.json    which files are pulled ones, see Receipt .sheaf/staging-…      what a pull that is at
/// work has gathered .sheaf/lock           held by the pull that is at work, see FolderLock
/// ```
public final class OwnFolder implements AutoCloseable {
    /// Its name, which no bundle can write to.
    public static final String NAME = ".sheaf";

    private static final String STAGING = "staging-";
    private static final long LONGEST_RECEIPT = 16 << 20;

    private final TargetFolder target;
    private final Path own;
    private final Map<Asset, Path> staged = new LinkedHashMap<>();
    private @Nullable Path staging;

    OwnFolder(TargetFolder target) {
        this.target = target;
        this.own = target.root().resolve(NAME);
    }

    /// What earlier pulls noted; nothing where that cannot be read.
    Receipt receipt() throws IOException {
        Path file = own.resolve("pulled.json");
        if (!TargetFolder.isFolder(own) || !TargetFolder.isFile(file) || Files.size(file) > LONGEST_RECEIPT) {
            return Receipt.EMPTY;
        }
        return Receipt.parse(Files.readAllBytes(file));
    }

    void note(Receipt receipt) throws IOException {
        make(own);
        Path fresh = Files.createTempFile(own, STAGING, "");
        try {
            Files.write(fresh, receipt.bytes());
            OwnerOnly.shareAsUsual(fresh);
            target.move(fresh, own.resolve("pulled.json"));
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    static void make(Path own) throws IOException {
        if (TargetFolder.exists(own) && !TargetFolder.isFolder(own)) {
            throw new SheafException.Local(
                    own + " is in the way: it must be a folder, where pulls keep their notes", null);
        }
        Files.createDirectories(own);
    }

    /// A new file for the asset's bytes, not yet in its place.
    OutputStream stage(Asset asset) throws IOException {
        if (staging == null) {
            make(own);
            staging = Files.createTempDirectory(own, STAGING);
        }
        Path file = staging.resolve(Integer.toString(staged.size()));
        staged.put(asset, file);
        return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /// Moves what is staged into place, each file in one step.
    void commit() throws IOException {
        for (var entry : staged.entrySet()) {
            Path place = target.place(entry.getKey().path());
            Path obstacle = target.obstacle(place);
            if (obstacle != null || (TargetFolder.exists(place) && !TargetFolder.isFile(place))) {
                throw TargetFolder.inTheWay(obstacle == null ? place : obstacle);
            }
            if (Boolean.TRUE.equals(entry.getKey().executable())) {
                FileModes.makeExecutable(entry.getValue());
            }
            target.move(entry.getValue(), place);
        }
        staged.clear();
    }

    /// Removes what pulls that were killed have gathered. To be called while no other pull is at work here.
    void removeLeftovers() throws IOException {
        if (!TargetFolder.isFolder(own)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(own, STAGING + "*")) {
            for (Path path : left) {
                removeAll(path);
            }
        }
    }

    static void removeAll(Path path) throws IOException {
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public void close() throws IOException {
        if (staging == null) {
            return;
        }
        removeAll(staging);
        staging = null;
        removeEmpty(own);
    }

    /// Removes the client's own folder where there is nothing to note.
    static void removeEmpty(Path own) {
        try {
            Files.deleteIfExists(own);
        } catch (IOException e) {
            // it has notes, or is not ours to remove
        }
    }
}
