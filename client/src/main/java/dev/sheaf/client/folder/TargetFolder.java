package dev.sheaf.client.folder;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The folder that a bundle is written to. Files gather in a staging folder inside it and move to their places by
/// rename once all are there; [#close] removes the staging folder. No link is followed below the target,
/// also where one takes the place of a folder meanwhile, see [Descent].
///
/// ```
/// .sheaf/pulled.json    which files are pulled ones, see Receipt
/// .sheaf/staging-…      what a pull that is at work has gathered
/// .sheaf/lock           held by the pull that is at work, see FolderLock
/// ```
public final class TargetFolder implements AutoCloseable {
    /// The folder in the target that no bundle can write to.
    public static final String OWN = ".sheaf";

    /// Folders that no pull writes and no push reads.
    public static final Set<String> VERSION_CONTROL = Set.of(".git", ".hg", ".svn");

    private static final String STAGING = "staging-";
    private static final long LONGEST_RECEIPT = 16 << 20;

    private final Path root;
    private final Path own;
    private final Map<Asset, Path> staged = new LinkedHashMap<>();
    private @Nullable Path staging;

    private TargetFolder(Path root) {
        this.root = root;
        this.own = root.resolve(OWN);
    }

    /// The real path of `folder`, which is made where it is missing; it may itself be a link that the caller chose.
    public static Path made(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
        return folder.toRealPath();
    }

    public static TargetFolder open(Path folder) throws IOException {
        return new TargetFolder(made(folder));
    }

    Path root() {
        return root;
    }

    /// The place of an asset.
    public Path place(LogicalPath path) {
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

    static boolean isFile(Path place) {
        return Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS);
    }

    static boolean isFolder(Path place) {
        return Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
    }

    static boolean exists(Path place) {
        return Files.exists(place, LinkOption.NOFOLLOW_LINKS);
    }

    /// The first thing above `place` that is there and is no folder of its own, such as a link to one.
    @Nullable
    Path obstacle(Path place) {
        Path found = null;
        for (Path folder = place.getParent(); folder != null && !folder.equals(root); folder = folder.getParent()) {
            if (exists(folder) && !isFolder(folder)) {
                found = folder;
            }
        }
        return found;
    }

    /// Whether the file is already there with this content.
    public boolean holds(LogicalPath path, Blob blob) throws IOException {
        Path place = place(path);
        return isFile(place) && Files.size(place) == blob.size() && hasDigest(place, blob.digest());
    }

    /// Whether the bytes of the file, which is there, have this digest.
    static boolean hasDigest(Path place, Digest digest) throws IOException {
        var hash = digest.algorithm().newHash();
        try (InputStream in = Files.newInputStream(place, LinkOption.NOFOLLOW_LINKS)) {
            byte[] buffer = new byte[64 << 10];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                hash.update(buffer, 0, count);
            }
        }
        return Digest.finish(digest.algorithm(), hash.digest()).equals(digest);
    }

    /// What earlier pulls noted; nothing where that cannot be read.
    Receipt receipt() throws IOException {
        Path file = own.resolve("pulled.json");
        if (!isFolder(own) || !isFile(file) || Files.size(file) > LONGEST_RECEIPT) {
            return Receipt.EMPTY;
        }
        return Receipt.parse(Files.readAllBytes(file));
    }

    void note(Receipt receipt) throws IOException {
        makeOwn();
        Path fresh = Files.createTempFile(own, STAGING, "");
        try {
            Files.write(fresh, receipt.bytes());
            OwnerOnly.shareAsUsual(fresh);
            move(fresh, own.resolve("pulled.json"));
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private void makeOwn() throws IOException {
        makeOwn(own);
    }

    static void makeOwn(Path own) throws IOException {
        if (exists(own) && !isFolder(own)) {
            throw new SheafException.Local(
                    own + " is in the way: it must be a folder, where pulls keep their notes", null);
        }
        Files.createDirectories(own);
    }

    /// A new file for the asset's bytes, not yet in its place.
    OutputStream stage(Asset asset) throws IOException {
        if (staging == null) {
            makeOwn();
            staging = Files.createTempDirectory(own, STAGING);
        }
        Path file = staging.resolve(Integer.toString(staged.size()));
        staged.put(asset, file);
        return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /// Moves what is staged into place, each file in one step.
    void commit() throws IOException {
        for (var entry : staged.entrySet()) {
            Path place = place(entry.getKey().path());
            Path obstacle = obstacle(place);
            if (obstacle != null || (exists(place) && !isFile(place))) {
                throw inTheWay(obstacle == null ? place : obstacle);
            }
            if (Boolean.TRUE.equals(entry.getKey().executable())) {
                FileModes.makeExecutable(entry.getValue());
            }
            move(entry.getValue(), place);
        }
        staged.clear();
    }

    private void move(Path from, Path to) throws IOException {
        try (var source = Descent.into(root, parent(from));
                var target = Descent.into(root, parent(to))) {
            source.move(name(from), target, name(to));
        }
    }

    private static Path parent(Path place) {
        return Objects.requireNonNull(place.getParent());
    }

    private static String name(Path place) {
        return place.getFileName().toString();
    }

    static SheafException inTheWay(Path path) {
        String what = Files.isSymbolicLink(path) ? "a symbolic link" : "something else";
        return new SheafException.Local(
                path + " is in the way: " + what + " stands where the bundle has a file or folder; remove it, or choose"
                        + " another target",
                null);
    }

    /// Removes a file, and the folders above it that are empty then.
    void remove(LogicalPath path) throws IOException {
        Path place = place(path);
        try (var folder = Descent.into(root, parent(place))) {
            folder.delete(name(place));
        }
        for (Path folder = place.getParent(); folder != null && !folder.equals(root); folder = folder.getParent()) {
            try {
                Files.deleteIfExists(folder);
            } catch (DirectoryNotEmptyException e) {
                return;
            }
        }
    }

    /// Removes what pulls that were killed have gathered. To be called while no other pull is at work here.
    void removeLeftovers() throws IOException {
        if (!isFolder(own)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(own, STAGING + "*")) {
            for (Path path : left) {
                removeAll(path);
            }
        }
    }

    private static void removeAll(Path path) throws IOException {
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
        removeOwn(own);
    }

    /// Removes the client's own folder where there is nothing to note.
    static void removeOwn(Path own) {
        try {
            Files.deleteIfExists(own);
        } catch (IOException e) {
            // it has notes, or is not ours to remove
        }
    }
}
