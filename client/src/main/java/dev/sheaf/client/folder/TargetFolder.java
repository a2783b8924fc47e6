package dev.sheaf.client.folder;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.OwnerOnly;
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
import org.jspecify.annotations.Nullable;

/// The folder to which a bundle is written, and its content. Links below it are not followed, even if a link
/// replaces a folder meanwhile; see [SafeFolder].
public final class TargetFolder {
    private final Path root;

    private TargetFolder(Path root) {
        this.root = root;
    }

    /// Returns the real path of `folder`, which is created if necessary; it may itself be a link that the caller
    /// chose.
    public static Path created(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
        return folder.toRealPath();
    }

    public static TargetFolder open(Path folder) throws IOException {
        return new TargetFolder(created(folder));
    }

    /// Returns the real path of the folder.
    public Path root() {
        return root;
    }

    /// Returns the path of an asset in the folder.
    public Path place(LogicalPath path) {
        Path place;
        try {
            place = root.resolve(path.value());
        } catch (InvalidPathException e) {
            throw new SheafException.Local("this platform does not allow a file named " + path, e);
        }
        if (!place.normalize().equals(place) || !place.startsWith(root) || place.equals(root)) {
            throw new SheafException.Integrity("the path " + path + " is outside of the target folder");
        }
        return place;
    }

    /// Resolves a relative path that does not come from a bundle, with `/` between its segments.
    ///
    /// @throws SheafException.Integrity if it would be outside of the folder
    public Path place(String path) {
        for (String segment : path.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || segment.indexOf('\\') >= 0) {
                throw new SheafException.Integrity("the path " + path + " is outside of the target folder");
            }
        }
        try {
            Path place = root.resolve(path);
            if (place.normalize().equals(place) && place.startsWith(root) && !place.equals(root)) {
                return place;
            }
        } catch (InvalidPathException e) {
            throw new SheafException.Local("this platform does not allow a file named " + path, e);
        }
        throw new SheafException.Integrity("the path " + path + " is outside of the target folder");
    }

    static boolean isFile(Path place) {
        return Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS);
    }

    public static boolean isFolder(Path place) {
        return Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
    }

    public static boolean exists(Path place) {
        return Files.exists(place, LinkOption.NOFOLLOW_LINKS);
    }

    /// Returns the topmost path above `place` that exists and is not a real folder, such as a link to a folder;
    /// null if there is no such path.
    public @Nullable Path obstacle(Path place) {
        Path found = null;
        for (Path folder = place.getParent(); folder != null && !folder.equals(root); folder = folder.getParent()) {
            if (exists(folder) && !isFolder(folder)) {
                found = folder;
            }
        }
        return found;
    }

    /// Returns whether the file exists with this content.
    public boolean holds(LogicalPath path, Blob blob) throws IOException {
        Path place = place(path);
        return isFile(place) && Files.size(place) == blob.size() && hasDigest(place, blob.digest());
    }

    /// Returns whether the content of an existing file has this digest.
    static boolean hasDigest(Path place, Digest digest) throws IOException {
        return digest(place, digest.algorithm()).equals(digest);
    }

    /// Returns the digest of an existing file.
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

    /// Moves a file into place atomically.
    void move(Path from, Path to) throws IOException {
        try (var source = SafeFolder.into(root, parent(from));
                var target = SafeFolder.into(root, parent(to))) {
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
                path + " is in the way: it is " + what + " where the bundle has a file or folder; remove it, or choose"
                        + " another target",
                null);
    }

    /// Removes a file, and the folders above it that become empty.
    void remove(LogicalPath path) throws IOException {
        remove(place(path), root);
    }

    /// Removes a file, and the folders above it that become empty.
    ///
    /// @param last a folder to keep, with everything above it
    void remove(Path place, Path last) throws IOException {
        try (var folder = SafeFolder.into(root, parent(place))) {
            folder.delete(name(place));
        }
        for (Path folder = place.getParent();
                folder != null && !folder.equals(last) && !folder.equals(root);
                folder = folder.getParent()) {
            try (var above = SafeFolder.into(root, parent(folder))) {
                above.deleteFolder(name(folder));
            } catch (DirectoryNotEmptyException e) {
                return;
            }
        }
    }

    /// Creates a folder and missing parents for the user alone; existing ones are not changed.
    ///
    /// @throws SheafException.Local if something other than a folder is in the way, such as a link to a folder
    public void make(Path place) throws IOException {
        Path obstacle = obstacle(place);
        if (obstacle != null || exists(place) && !isFolder(place)) {
            throw inTheWay(obstacle == null ? place : obstacle);
        }
        OwnerOnly.makeFolder(place);
    }

    /// Removes a folder with everything in it. Does nothing if it is something else, such as a link to a folder.
    public void removeTree(Path place) throws IOException {
        if (obstacle(place) == null && isFolder(place)) {
            removeAll(place);
        }
    }

    /// Removes a folder with everything in it.
    void removeAll(Path place) throws IOException {
        try (var above = SafeFolder.into(root, parent(place))) {
            above.deleteAll(name(place));
        }
    }
}
