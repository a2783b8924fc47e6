package dev.sheaf.client.folder;

import dev.sheaf.client.io.FolderRemoval;
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

/// An open folder below another one. It was opened folder by folder without following links, and remains the
/// same folder even if one of these folders is replaced meanwhile. On platforms that cannot keep folders open,
/// such as Windows, it is only a path.
final class SafeFolder implements AutoCloseable {
    private final Path path;
    private final @Nullable SecureDirectoryStream<Path> held;

    private SafeFolder(Path path, @Nullable SecureDirectoryStream<Path> held) {
        this.path = path;
        this.held = held;
    }

    /// Opens a folder; missing folders are created.
    ///
    /// @param root a real path
    /// @param to the root or a folder below it
    /// @throws SheafException.Local if something other than a folder is in the way, such as a link to a folder
    static SafeFolder into(Path root, Path to) throws IOException {
        var top = Files.newDirectoryStream(root);
        if (!(top instanceof SecureDirectoryStream<Path> now)) {
            top.close();
            Files.createDirectories(to);
            return new SafeFolder(to, null);
        }
        Path at = root;
        try {
            for (int i = root.getNameCount(); i < to.getNameCount(); i++) {
                at = root.resolve(to.subpath(root.getNameCount(), i + 1));
                var next = next(now, at);
                now.close();
                now = next;
            }
            return new SafeFolder(to, now);
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
                // another process was faster; checked below
            }
            return now.newDirectoryStream(at.getFileName(), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /// Moves a file of this folder atomically, replacing an existing file.
    void move(String name, SafeFolder to, String toName) throws IOException {
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

    /// Deletes a file of this folder, if it exists.
    void delete(String name) throws IOException {
        if (held == null) {
            Files.deleteIfExists(path.resolve(name));
            return;
        }
        try {
            held.deleteFile(Path.of(name));
        } catch (NoSuchFileException e) {
            // already gone
        }
    }

    /// Deletes an empty folder of this folder, if it exists.
    void deleteFolder(String name) throws IOException {
        if (held == null) {
            Files.deleteIfExists(path.resolve(name));
            return;
        }
        try {
            held.deleteDirectory(Path.of(name));
        } catch (NoSuchFileException e) {
            // already gone
        }
    }

    /// Deletes a folder of this folder with everything in it, if it exists.
    void deleteAll(String name) throws IOException {
        if (held == null) {
            FolderRemoval.remove(path, name);
        } else {
            FolderRemoval.remove(held, name);
        }
    }

    @Override
    public void close() throws IOException {
        if (held != null) {
            held.close();
        }
    }
}
