package dev.sheaf.client.io;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Deletes a folder with everything in it, and nothing else: each folder is opened without following links, and
/// its entries are deleted in the opened folder. So it does not matter if somebody replaces a folder by a link
/// meanwhile. On platforms that cannot keep folders open, such as Windows, it walks by path.
///
/// A removal goes on after a failure and reports the first one at the end. A folder that its owner may not read cannot
/// be opened, so it is deleted only if it is empty; its mode is never changed by path, which could follow a link.
public final class FolderRemoval {
    /// How many folders are open at a time. Deeper ones are moved up and deleted afterwards.
    private static final int DEEPEST = 64;

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private final Deque<Path> moved = new ArrayDeque<>();
    private @Nullable IOException failure;
    private int names;

    private FolderRemoval() {}

    /// Deletes a file or folder; does nothing if it does not exist.
    ///
    /// @param parent a folder that no other user can replace
    public static void remove(Path parent, String name) throws IOException {
        try (var held = Files.newDirectoryStream(parent)) {
            if (held instanceof SecureDirectoryStream<Path> secure) {
                remove(secure, name);
            } else {
                walk(parent.resolve(name));
            }
        } catch (NoSuchFileException e) {
            // nothing to delete
        }
    }

    /// Deletes a file or folder; does nothing if it does not exist.
    public static void remove(SecureDirectoryStream<Path> parent, String name) throws IOException {
        var removal = new FolderRemoval();
        removal.remove(new Entry(parent, Path.of(name)), null, 0);
        if (removal.failure != null) {
            throw removal.failure;
        }
    }

    /// An entry of an open folder.
    private record Entry(SecureDirectoryStream<Path> parent, Path name) {
        boolean isFolder() throws IOException {
            return parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes()
                    .isDirectory();
        }

        /// Opens a folder that its owner may change afterwards.
        SecureDirectoryStream<Path> open() throws IOException {
            var opened = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
            try {
                var view = opened.getFileAttributeView(PosixFileAttributeView.class);
                if (!view.readAttributes().permissions().containsAll(OWNER)) {
                    view.setPermissions(OWNER);
                }
            } catch (IOException e) {
                // the folder of another user, or a file system without modes; deleting may work all the same
            }
            return opened;
        }
    }

    private void remove(Entry entry, @Nullable SecureDirectoryStream<Path> top, int depth) {
        try {
            if (!entry.isFolder()) {
                entry.parent().deleteFile(entry.name());
                return;
            }
            try (var folder = entry.open()) {
                if (top != null && depth >= DEEPEST) {
                    moveUp(entry, top);
                    return;
                }
                empty(folder, top == null ? folder : top, depth);
                if (top == null) {
                    emptyMoved(folder);
                }
            }
            entry.parent().deleteDirectory(entry.name());
        } catch (NoSuchFileException e) {
            // already gone
        } catch (AccessDeniedException e) {
            unreadable(entry, e);
        } catch (DirectoryIteratorException e) {
            note(Objects.requireNonNull(e.getCause())); // it always has one
        } catch (IOException e) {
            note(e);
        }
    }

    private void unreadable(Entry entry, AccessDeniedException denied) {
        try {
            entry.parent().deleteDirectory(entry.name()); // needs no reading if it is empty
        } catch (IOException e) {
            note(denied);
        }
    }

    private void empty(SecureDirectoryStream<Path> folder, SecureDirectoryStream<Path> top, int depth) {
        for (Path inner : folder) {
            remove(new Entry(folder, inner.getFileName()), top, depth + 1);
        }
    }

    private void moveUp(Entry entry, SecureDirectoryStream<Path> top) throws IOException {
        Path up = Path.of(".sheaf-removed-" + names++);
        entry.parent().move(entry.name(), top, up);
        moved.add(up);
    }

    private void emptyMoved(SecureDirectoryStream<Path> top) {
        for (Path next = moved.poll(); next != null; next = moved.poll()) {
            remove(new Entry(top, next), top, 1);
        }
    }

    private void note(IOException problem) {
        if (failure == null) {
            failure = problem;
        }
    }

    private static void walk(Path path) throws IOException {
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed) throws IOException {
                Files.deleteIfExists(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
