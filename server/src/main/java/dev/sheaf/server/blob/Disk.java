package dev.sheaf.server.blob;

import static java.nio.file.StandardOpenOption.READ;

import dev.sheaf.model.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// File operations whose failures are the store's and not the caller's.
final class Disk {
    private static final Logger LOG = LoggerFactory.getLogger(Disk.class);

    private Disk() {}

    interface Operation<T> {
        T run() throws IOException;
    }

    interface Action {
        void run() throws IOException;
    }

    static void run(String verb, Path file, Action action) {
        call(verb, file, () -> {
            action.run();
            return true;
        });
    }

    /// @throws dev.sheaf.model.ProblemException storage-full or unavailable where the disk fails
    static <T> T call(String verb, Path file, Operation<T> operation) {
        try {
            return operation.run();
        } catch (IOException e) {
            LOG.error("cannot {} {}", verb, file, e);
            throw (isFull(e) ? new Problem.StorageFull() : new Problem.Unavailable("the blob store failed", 5)).raise();
        }
    }

    /// Reads on behalf of a caller that is already being answered, so that failing can only be logged.
    static int read(FileChannel in, ByteBuffer buffer, Path file) throws IOException {
        try {
            return in.read(buffer);
        } catch (IOException e) {
            LOG.error("cannot read {}", file, e);
            throw new UnreadableException(file, e);
        }
    }

    private static boolean isFull(IOException e) {
        String reason = e instanceof FileSystemException files ? files.getReason() : e.getMessage();
        return reason != null && (reason.contains("No space left") || reason.contains("quota exceeded"));
    }

    /// Makes a file's bytes, or a folder's entries, survive a power loss.
    static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path, READ)) {
            channel.force(true);
        }
    }
}
