package dev.sheaf.client.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Lets one thread of one process at a time work on a digest. The operating system releases the lock of a process
/// that dies. Waiting is done by polling, because a blocking lock call would hold the carrier of a virtual thread.
public final class DigestLock implements AutoCloseable {
    /// A file lock belongs to the process; this set excludes other threads.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    /// A position after all content, since Windows forbids reading a locked range.
    private static final long LOCKED_AT = 1L << 40;

    private static final Duration FIRST_LOOK = Duration.ofMillis(5);
    private static final Duration LONGEST_LOOK = Duration.ofMillis(200);

    private final Path file;
    private final FileChannel channel;
    private final List<InputStream> readers = new ArrayList<>(1);

    private DigestLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// Waits for exclusive use of `file`, an absolute path whose folder exists.
    public static DigestLock acquire(Path file) throws IOException {
        Duration wait = FIRST_LOOK;
        while (true) {
            var lock = attempt(file);
            if (lock != null) {
                return lock;
            }
            TaskThreads.sleep(wait);
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
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            @Nullable FileLock lock = channel.tryLock(LOCKED_AT, 1, false);
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

    /// Returns whether the locked file is still the file with that name. An earlier holder may have removed it,
    /// so that others lock a new file. To find out, it writes a random text to the locked file and reads the
    /// file with that name. The channel that reads it stays open as long as the lock, since closing any
    /// descriptor of a file releases the process's locks on it.
    public boolean isInPlace() throws IOException {
        byte[] mark = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
        channel.truncate(0).write(ByteBuffer.wrap(mark), 0);
        try {
            InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
            readers.add(in);
            return Arrays.equals(in.readNBytes(mark.length), mark);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /// Removes the lock's file, for a lock that will not be needed again. The lock is still held. A waiter for
    /// the removed file gets the lock and finds the work done.
    public void forget() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // the platform keeps open files; an empty file remains, which does no harm
        }
    }

    @Override
    public void close() throws IOException {
        try (channel) { // closed last, which releases the lock
            for (InputStream reader : readers) {
                reader.close();
            }
        } finally {
            HELD.remove(file);
        }
    }
}
