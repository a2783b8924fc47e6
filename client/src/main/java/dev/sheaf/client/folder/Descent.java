package dev.sheaf.client.folder;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/// A folder below another one, held open. It was reached folder by folder without following a link, and stays the same
/// one whatever is put in the place of any of them meanwhile. Where a platform cannot hold folders open, such as
/// Windows, it is no more than a path.
final class Descent implements AutoCloseable {
    private final Path path;
    private final @Nullable SecureDirectoryStream<Path> held;

    private Descent(Path path, @Nullable SecureDirectoryStream<Path> held) {
        this.path = path;
        this.held = held;
    }

    /// Folders that are missing are made.
    ///
    /// @param root a real path
    /// @param to a folder below it; or itself
    /// @throws SheafException.Local where something else than a folder is in the way, such as a link to one
    static Descent into(Path root, Path to) throws IOException {
        var top = Files.newDirectoryStream(root);
        if (!(top instanceof SecureDirectoryStream<Path> now)) {
            top.close();
            Files.createDirectories(to);
            return new Descent(to, null);
        }
        Path at = root;
        try {
            for (int i = root.getNameCount(); i < to.getNameCount(); i++) {
                at = root.resolve(to.subpath(root.getNameCount(), i + 1));
                var next = next(now, at);
                now.close();
                now = next;
            }
            return new Descent(to, now);
        } catch (NoSuchFileException e) {
            now.close();
            throw e;
        } catch (FileSystemException e) {
            now.close();
            if (TargetFolder.isFolder(at)) {
                throw e;
            }
            throw TargetFolder.inTheWay(at);
        }
    }

    private static SecureDirectoryStream<Path> next(SecureDirectoryStream<Path> now, Path at) throws IOException {
        try {
            return now.newDirectoryStream(at.getFileName(), LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            try {
                Files.createDirectory(at);
            } catch (FileAlreadyExistsException made) {
                // somebody else was quicker; what it is shows below
            }
            return now.newDirectoryStream(at.getFileName(), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /// Moves a file of this folder in one step. A file that is there is replaced.
    void move(String name, Descent to, String toName) throws IOException {
        if (held == null || to.held == null) {
            Files.move(
                    path.resolve(name),
                    to.path.resolve(toName),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } else {
            held.move(Path.of(name), to.held, Path.of(toName));
        }
    }

    /// Deletes a file of this folder, if it is there.
    void delete(String name) throws IOException {
        if (held == null) {
            Files.deleteIfExists(path.resolve(name));
            return;
        }
        try {
            held.deleteFile(Path.of(name));
        } catch (NoSuchFileException e) {
            // it is gone
        }
    }

    @Override
    public void close() throws IOException {
        if (held != null) {
            held.close();
        }
    }
}
