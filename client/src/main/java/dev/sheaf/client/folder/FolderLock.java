package dev.sheaf.client.folder;

import dev.sheaf.client.io.DigestLock;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Lets only one pull at a time work in a folder, even if pulls use different caches. The file only exists
/// during a pull. If a pull is killed, the file remains but does not block others, since the operating system
/// releases the lock. If the file system has no locks, or the folder is not writable, only the lock of the
/// cache keeps pulls apart.
public final class FolderLock implements AutoCloseable {
    private static final String NAME = "lock";
    private static final int ATTEMPTS = 1_000;

    private final Path own;
    private final @Nullable DigestLock lock;

    private FolderLock(Path own, @Nullable DigestLock lock) {
        this.own = own;
        this.lock = lock;
    }

    /// Waits until no other pull works in the folder.
    ///
    /// @param own the client's own folder in the target
    public static FolderLock acquire(Path own) throws IOException {
        Path file = own.resolve(NAME);
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                OwnFolder.make(own);
                if (TargetFolder.exists(file) && !TargetFolder.isFile(file)) {
                    throw TargetFolder.inTheWay(file);
                }
                var lock = inPlace(DigestLock.acquire(file));
                if (lock != null) {
                    return new FolderLock(own, lock);
                }
            } catch (NoSuchFileException e) {
                // the previous holder has removed the folder
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (IOException e) {
                return new FolderLock(own, null);
            }
        }
        throw new IOException("other pulls are busy in " + own);
    }

    /// Returns null if the previous holder of the lock has removed its file.
    private static @Nullable DigestLock inPlace(DigestLock lock) throws IOException {
        boolean good = false;
        try {
            good = lock.isInPlace();
            return good ? lock : null;
        } finally {
            if (!good) {
                lock.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.forget();
            lock.close();
        }
        OwnFolder.removeEmpty(own);
    }
}
