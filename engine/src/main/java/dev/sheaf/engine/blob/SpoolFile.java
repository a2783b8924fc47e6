package dev.sheaf.engine.blob;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sheaf.engine.cpu.BulkPool;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// A temporary file that collects bytes until there are enough for one request. The length of a part must be known
/// before it is sent, and a thousand slow uploads must not hold a thousand parts in memory.
public final class SpoolFile implements AutoCloseable {
    private final Path file;
    private final FileChannel out;
    private long length;

    public SpoolFile(Path folder) {
        this.file = folder.resolve(DraftId.randomPart());
        this.out = DiskCalls.PLAIN.call("make", file, () -> PrivateFiles.open(file, CREATE_NEW, WRITE));
    }

    /// Creates the folder, and deletes files that a killed process left there.
    public static void prepare(Path folder) {
        DiskCalls.PLAIN.run("clear", folder, () -> {
            PrivateFiles.folder(folder);
            try (var left = Files.newDirectoryStream(folder)) {
                for (Path file : left) {
                    Files.delete(file);
                }
            }
        });
    }

    public Path file() {
        return file;
    }

    public long length() {
        return length;
    }

    public void write(byte[] bytes, int count) {
        BulkPool.run(() -> DiskCalls.PLAIN.run("write", file, () -> {
            var buffer = ByteBuffer.wrap(bytes, 0, count);
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
        }));
        length += count;
    }

    public void clear() {
        DiskCalls.PLAIN.run("empty", file, () -> out.truncate(0));
        length = 0;
    }

    public byte[] bytes() {
        return DiskCalls.PLAIN.call("read", file, () -> Files.readAllBytes(file));
    }

    @Override
    public void close() {
        DiskCalls.PLAIN.run("delete", file, () -> {
            try {
                out.close();
            } finally {
                Files.deleteIfExists(file);
            }
        });
    }
}
