package dev.sheaf.client;

import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The folder that a bundle is written to. Files gather in a staging folder inside it and move to their places by
/// rename once all are there; [#close] removes the staging folder. No link is followed below the target: one that
/// stands where a file or folder belongs is refused.
final class TargetFolder implements AutoCloseable {
    private final Path root;
    private final Map<LogicalPath, Path> staged = new LinkedHashMap<>();
    private @Nullable Path staging;

    private TargetFolder(Path root) {
        this.root = root;
    }

    /// Opens `folder`, made where it is missing; it may itself be a link that the caller chose.
    static TargetFolder open(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
        return new TargetFolder(folder.toRealPath());
    }

    /// The place of an asset.
    Path place(LogicalPath path) {
        Path place;
        try {
            place = root.resolve(path.value());
        } catch (InvalidPathException e) {
            throw new SheafException.Local("this platform has no file named " + path, e);
        }
        if (!place.normalize().equals(place) || !place.startsWith(root) || place.equals(root)) {
            throw new SheafException.Integrity("the path " + path + " leaves the target folder");
        }
        return place;
    }

    /// @throws SheafException.Local where a link, or a file instead of a folder or the reverse, stands in the way
    void checkFree(LogicalPath path) {
        Path place = place(path);
        for (Path folder = place.getParent(); folder != null && !folder.equals(root); folder = folder.getParent()) {
            if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw inTheWay(folder);
            }
        }
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS) && !isFile(place)) {
            throw inTheWay(place);
        }
    }

    private static SheafException inTheWay(Path path) {
        String what = Files.isSymbolicLink(path) ? "a symbolic link" : "something else";
        return new SheafException.Local(
                path + " is in the way: " + what + " stands where the bundle has a file or folder; remove it, or choose"
                        + " another target",
                null);
    }

    private static boolean isFile(Path path) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    /// Whether the file is already there with this content.
    boolean holds(LogicalPath path, Blob blob) throws IOException {
        Path place = place(path);
        if (!isFile(place) || Files.size(place) != blob.size()) {
            return false;
        }
        var hash = blob.digest().algorithm().newHash();
        try (InputStream in = Files.newInputStream(place, LinkOption.NOFOLLOW_LINKS)) {
            byte[] buffer = new byte[64 << 10];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                hash.update(buffer, 0, count);
            }
        }
        return Digest.finish(blob.digest().algorithm(), hash.digest()).equals(blob.digest());
    }

    /// A new file for the asset's bytes, not yet in its place.
    OutputStream stage(LogicalPath path) throws IOException {
        if (staging == null) {
            staging = Files.createTempDirectory(root, ".sheaf-staging-");
        }
        Path file = staging.resolve(Integer.toString(staged.size()));
        staged.put(path, file);
        return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /// Moves what is staged into place, each file in one step.
    void commit() throws IOException {
        for (LogicalPath path : staged.keySet()) {
            checkFree(path);
        }
        for (var entry : staged.entrySet()) {
            Path place = place(entry.getKey());
            Files.createDirectories(place.getParent());
            Files.move(entry.getValue(), place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        staged.clear();
    }

    @Override
    public void close() throws IOException {
        if (staging == null) {
            return;
        }
        Files.walkFileTree(staging, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }
        });
        Files.deleteIfExists(staging);
        staging = null;
    }
}
