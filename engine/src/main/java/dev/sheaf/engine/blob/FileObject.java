package dev.sheaf.engine.blob;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// A finished object on the disk.
record FileObject(Path file, long length, TransferBuffers buffers, DiskCalls disk) implements StoredObject {
    private static final int FIRST = 16 << 10;
    private static final int SHORT = 64 << 10;

    @Override
    public void writeTo(OutputStream out, long offset, long count) throws IOException {
        try (var in = disk.open(file)) {
            in.position(offset);
            if (out instanceof FileSink sink && count > SHORT) {
                copy(in, out, FIRST); // a disk that fails is noticed before the answer begins
                sink.send(in, offset + FIRST, count - FIRST);
                disk.sent(count - FIRST);
            } else {
                copy(in, out, count);
            }
        }
    }

    private void copy(FileChannel in, OutputStream out, long count) throws IOException {
        try (var held = buffers.buffer(count)) {
            byte[] buffer = held.bytes();
            long left = count;
            while (left > 0) {
                int read = disk.read(in, ByteBuffer.wrap(buffer, 0, (int) Math.min(buffer.length, left)), file);
                if (read < 0) {
                    throw new EOFException(file + " ended " + left + " bytes early");
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
    }
}
