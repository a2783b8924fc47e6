package dev.sheaf.engine.blob;

import static java.nio.file.StandardOpenOption.READ;

import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs disk operations, and reports their failures as failures of the store. Thread-safe.
final class DiskCalls {
    /// An instance that measures nothing.
    static final DiskCalls PLAIN = new DiskCalls(CallTimes.OFF);

    private static final Logger LOG = LoggerFactory.getLogger(DiskCalls.class);

    private final CallTimes times;
    private final OncePerMinute log = new OncePerMinute();

    DiskCalls(CallTimes times) {
        this.times = times;
    }

    interface Operation<T> {
        T run() throws IOException;
    }

    interface Action {
        void run() throws IOException;
    }

    void run(String verb, Path file, Action action) {
        call(verb, file, () -> {
            action.run();
            return true;
        });
    }

    /// @throws dev.sheaf.model.ProblemException storage-full or unavailable if the disk fails
    <T> T call(String verb, Path file, Operation<T> operation) {
        long since = System.nanoTime();
        IOException failure = null;
        try {
            return operation.run();
        } catch (IOException e) {
            failure = e;
            if (log.isDue(verb + " " + file)) {
                LOG.error("cannot {} {}: {}", verb, file, e.toString());
                LOG.debug("where it failed", e);
            }
            throw isFull(e) ? new Problem.StorageFull().raise() : unavailable();
        } finally {
            times.took(verb, System.nanoTime() - since, failure);
        }
    }

    /// Counts bytes that were written.
    void wrote(long bytes) {
        times.written(bytes);
    }

    /// Counts bytes that the operating system sent from a file.
    void sent(long bytes) {
        times.read(bytes);
    }

    /// Reads for a response that has already begun, so that a failure can only be logged.
    int read(FileChannel in, ByteBuffer buffer, Path file) throws IOException {
        long since = System.nanoTime();
        IOException failure = null;
        try {
            int read = in.read(buffer);
            if (read > 0) {
                times.read(read);
            }
            return read;
        } catch (IOException e) {
            failure = e;
            note(file, e);
            throw new UnreadableException(file, e);
        } finally {
            times.took("read", System.nanoTime() - since, failure);
        }
    }

    /// Opens a file to be read for a response.
    FileChannel open(Path file) throws IOException {
        try {
            return FileChannel.open(file, READ);
        } catch (NoSuchFileException e) {
            throw e; // another process has deleted it, which is looked into elsewhere
        } catch (IOException e) {
            note(file, e);
            var failure = new IOException("cannot open " + file, unavailable());
            failure.addSuppressed(e);
            throw failure;
        }
    }

    private void note(Path file, IOException why) {
        if (log.isDue("read " + file)) {
            LOG.error("cannot read {}: {}", file, why.toString());
        }
    }

    static ProblemException unavailable() {
        return new Problem.Unavailable("the blob store failed; try again", 5).raise();
    }

    private static boolean isFull(IOException e) {
        String reason = e instanceof FileSystemException files ? files.getReason() : e.getMessage();
        return reason != null && (reason.contains("No space left") || reason.contains("quota exceeded"));
    }

    /// Makes the content of a file, or the entries of a folder, survive a power loss.
    static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path, READ)) {
            channel.force(true);
        }
    }
}
