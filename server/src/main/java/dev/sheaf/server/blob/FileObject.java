package dev.sheaf.server.blob;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// A finished object on the disk.
record FileObject(Path file, long length, BulkLane lane, Disk disk) implements StoredObject {
    @Override
    public void writeTo(OutputStream out, long offset, long count) throws IOException {
        try (var in = disk.open(file);
                var held = lane.buffer(count)) {
            in.position(offset);
            byte[] buffer = held.bytes();
            long left = count;
            while (left > 0) {
                int length = (int) Math.min(buffer.length, left);
                int moved = held.run(() -> {
                    int read = disk.read(in, ByteBuffer.wrap(buffer, 0, length), file);
                    if (read > 0) {
                        out.write(buffer, 0, read);
                    }
                    return read;
                });
                if (moved < 0) {
                    throw new EOFException(file + " ended " + left + " bytes early");
                }
                left -= moved;
            }
        }
    }
}
