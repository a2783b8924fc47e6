package dev.sheaf.client.folder;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The folder that a bundle is written to, and what stands in it. No link is followed below it, also where one takes
/// the place of a folder meanwhile, see [Descent].
public final class TargetFolder {
    /// Folders that no pull writes and no push reads.
    public static final Set<String> VERSION_CONTROL = Set.of(".git", ".hg", ".svn");

    private final Path root;

    private TargetFolder(Path root) {
        this.root = root;
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

    /// A real path.
    public Path root() {
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

    /// The place of a path that is none of a bundle, relative and with `/` between its segments.
    ///
    /// @throws SheafException.Integrity where it would lie elsewhere
    public Path place(String path) {
        for (String segment : path.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || segment.indexOf('\\') >= 0) {
                throw new SheafException.Integrity("the path " + path + " leaves the target folder");
            }
        }
        try {
            Path place = root.resolve(path);
            if (place.normalize().equals(place) && place.startsWith(root) && !place.equals(root)) {
                return place;
            }
        } catch (InvalidPathException e) {
            throw new SheafException.Local("this platform has no file named " + path, e);
        }
        throw new SheafException.Integrity("the path " + path + " leaves the target folder");
    }

    static boolean isFile(Path place) {
        return Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS);
    }

    static boolean isFolder(Path place) {
        return Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
    }

    public static boolean exists(Path place) {
        return Files.exists(place, LinkOption.NOFOLLOW_LINKS);
    }

    /// The first thing above `place` that is there and is no folder of its own, such as a link to one.
    public @Nullable Path obstacle(Path place) {
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
        return digest(place, digest.algorithm()).equals(digest);
    }

    /// The digest of the file, which is there.
    static Digest digest(Path place, Digest.Algorithm algorithm) throws IOException {
        var hash = algorithm.newHash();
        try (InputStream in = Files.newInputStream(place, LinkOption.NOFOLLOW_LINKS)) {
            byte[] buffer = new byte[64 << 10];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                hash.update(buffer, 0, count);
            }
        }
        return Digest.finish(algorithm, hash.digest());
    }

    /// Moves a file to its place, in one step.
    void move(Path from, Path to) throws IOException {
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

    public static SheafException inTheWay(Path path) {
        String what = Files.isSymbolicLink(path) ? "a symbolic link" : "something else";
        return new SheafException.Local(
                path + " is in the way: " + what + " stands where the bundle has a file or folder; remove it, or choose"
                        + " another target",
                null);
    }

    /// Removes a file, and the folders above it that are empty then.
    void remove(LogicalPath path) throws IOException {
        remove(place(path), root);
    }

    /// The same of a place.
    ///
    /// @param last stays, and what is above it
    void remove(Path place, Path last) throws IOException {
        try (var folder = Descent.into(root, parent(place))) {
            folder.delete(name(place));
        }
        for (Path folder = place.getParent();
                folder != null && !folder.equals(last) && !folder.equals(root);
                folder = folder.getParent()) {
            try {
                Files.deleteIfExists(folder);
            } catch (DirectoryNotEmptyException e) {
                return;
            }
        }
    }
}
