package dev.sheaf.client;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Lets one thread of one process at a time work on a digest. The operating system frees the lock of a process that
/// dies. Waiting is by looking again, because a blocked lock call would hold a virtual thread's carrier.
final class DigestLock implements AutoCloseable {
    /// A file lock belongs to the process, so threads exclude one another by this set.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final Duration FIRST_LOOK = Duration.ofMillis(5);
    private static final Duration LONGEST_LOOK = Duration.ofMillis(200);

    private final Path file;
    private final FileChannel channel;

    private DigestLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// Waits until nobody else holds `file`, an absolute path whose folder exists.
    static DigestLock acquire(Path file) throws IOException {
        Duration wait = FIRST_LOOK;
        while (true) {
            var lock = attempt(file);
            if (lock != null) {
                return lock;
            }
            Retries.sleep(wait);
            wait = wait.compareTo(LONGEST_LOOK) < 0 ? wait.multipliedBy(2) : wait;
        }
    }

    private static @Nullable DigestLock attempt(Path file) throws IOException {
        if (!HELD.add(file)) {
            return null;
        }
        boolean held = false;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            @Nullable FileLock lock = channel.tryLock();
            held = lock != null;
            return held ? new DigestLock(file, channel) : null;
        } finally {
            if (!held) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(file);
            }
        }
    }

    /// Removes the lock's file, for the case that nobody will need it again; the lock is still held. Whoever waits
    /// on the removed file gets it, and finds the work done.
    void forget() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // a platform that keeps open files; an empty file stays, which does no harm
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close(); // frees the lock
        } finally {
            HELD.remove(file);
        }
    }
}
