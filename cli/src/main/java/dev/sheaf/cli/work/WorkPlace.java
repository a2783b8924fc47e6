package dev.sheaf.cli.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.FolderRemoval;
import dev.sheaf.client.io.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Set;

/// The private folder of one worker, with a folder for each job. A lock shows that the worker is alive; the
/// next worker deletes the folder of a killed one. Both are in a place that no other user may change, and
/// nothing outside of it is deleted, whatever a job leaves there. Thread-safe.
final class WorkPlace implements AutoCloseable {
    private static final String PREFIX = "sheaf-work-";
    private static final String LOCK = "lock";

    private final Path folder;
    private final FileChannel channel;

    private WorkPlace(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /// Creates the folder.
    ///
    /// @param place the folder for the folders of all workers; created if it does not exist
    /// @throws SheafException.Local if another user may change the place or a folder above it
    static WorkPlace make(Path place) {
        try {
            refuseShared(place);
            OwnerOnly.makeFolder(place);
            Path real = place.toRealPath(); // a link on the way may change, so what is checked is what is used
            refuseShared(real);
            Path folder = Files.createTempDirectory(real, PREFIX); // mode 0700
            clean(real, Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS));
            var channel =
                    FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                throw new IOException("cannot lock " + folder.resolve(LOCK));
            }
            return new WorkPlace(folder, channel);
        } catch (FileAlreadyExistsException e) {
            throw new SheafException.Local(
                    "cannot work in " + place
                            + ": it is not a folder, or a link to none; choose another with --work-dir",
                    e);
        } catch (IOException e) {
            throw new SheafException.Local(
                    "cannot make a folder to work in below " + place + ": " + DiskFailures.reason(e)
                            + "; choose another with --work-dir",
                    e);
        }
    }

    private static void refuseShared(Path place) throws IOException {
        var problem = PrivatePlace.problem(place);
        if (problem.isPresent()) {
            throw new SheafException.Local(
                    "cannot work in " + place + ": " + problem.get() + ", and could replace the folders of jobs."
                            + " Nothing was deleted. Choose a folder that only you may change with --work-dir, or take"
                            + " the right to write from the others (chmod go-w)",
                    null);
        }
    }

    Path folder() {
        return folder;
    }

    /// Creates a folder for one try of a job.
    Path job(String name) throws IOException {
        FolderRemoval.remove(folder, name);
        Path made = folder.resolve(name);
        OwnerOnly.makeFolder(made);
        return made;
    }

    /// Deletes the folder of a job as far as possible.
    void delete(String name) {
        try {
            FolderRemoval.remove(folder, name);
        } catch (IOException e) {
            // the next worker tries again
        }
    }

    /// Deletes the folders of this user's dead workers.
    static void clean(Path place, UserPrincipal user) throws IOException {
        var found = new ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(place, PREFIX + "*")) {
            entries.forEach(entry -> found.add(entry.getFileName()));
        }
        try (var held = Files.newDirectoryStream(place)) {
            if (held instanceof SecureDirectoryStream<Path> secure) {
                for (Path left : found) {
                    clean(secure, left, user);
                }
            }
        }
    }

    private static void clean(SecureDirectoryStream<Path> place, Path left, UserPrincipal user) {
        try (var opened = place.newDirectoryStream(left, LinkOption.NOFOLLOW_LINKS)) {
            var attributes =
                    opened.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
            if (isOnlyOf(user, attributes) && isLeft(opened)) {
                for (Path inner : opened) {
                    if (isJob(inner)) {
                        FolderRemoval.remove(opened, inner.getFileName().toString());
                    }
                }
                FolderRemoval.remove(place, left.toString());
            }
        } catch (IOException | DirectoryIteratorException e) {
            // a file, a link, another user's, or just deleted by another worker; the next worker tries again
        }
    }

    /// Returns whether something is to be deleted before the lock. If it cannot be, the next worker needs the lock to
    /// see that the folder is a dead worker's.
    private static boolean isJob(Path inner) {
        return !inner.endsWith(LOCK);
    }

    private static boolean isOnlyOf(UserPrincipal user, PosixFileAttributes attributes) {
        return attributes.owner().equals(user)
                && !attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
                && !attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    }

    private static boolean isLeft(SecureDirectoryStream<Path> left) throws IOException {
        Path lock = Path.of(LOCK);
        var view = left.getFileAttributeView(lock, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (!view.readAttributes().isRegularFile()) {
            return false; // of another program
        }
        try (var channel = left.newByteChannel(lock, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
                var held = ((FileChannel) channel).tryLock()) {
            return held != null;
        } catch (OverlappingFileLockException e) {
            return false; // another worker of this process
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // the lock ends with the process
        }
        try (var jobs = Files.newDirectoryStream(folder, WorkPlace::isJob)) {
            for (Path job : jobs) {
                FolderRemoval.remove(folder, job.getFileName().toString());
            }
            FolderRemoval.remove(
                    Objects.requireNonNull(folder.getParent()),
                    folder.getFileName().toString());
        } catch (IOException | DirectoryIteratorException e) {
            // the next worker tries again
        }
    }
}
