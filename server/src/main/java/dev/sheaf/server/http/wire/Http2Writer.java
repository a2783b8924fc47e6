package dev.sheaf.server.http.wire;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import java.nio.ByteBuffer;

/// Writes the frames of an HTTP/2 connection. Counts their bytes, and announces fewer streams than the HTTP library
/// accepts (RFC 9113, section 5.1.2). The library counts a stream until its thread has ended, which is after the end of
/// the answer was sent, and it ends the connection if there are too many. A client that always has as many streams as
/// it may have would lose its connection.
public final class Http2Writer implements DataWriter {
    /// Limit of the streams of a connection that the library must be given.
    public static final int ACCEPTED_STREAMS = 200;

    static final int ANNOUNCED_STREAMS = ACCEPTED_STREAMS / 2; // each may have a predecessor that still counts

    private static final int HEAD = 9;
    private static final int TYPE = 3;
    private static final int FLAGS = 4;
    private static final int SETTINGS = 4;
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int ENTRY = 6; // bytes of a setting

    private final DataWriter to;
    private final FrameGuard guard;
    private boolean announced; // only the connection's thread writes before that

    public Http2Writer(DataWriter to, FrameGuard guard) {
        this.to = to;
        this.guard = guard;
    }

    @Override
    public void write(BufferData... buffers) {
        to.write(counted(buffers));
    }

    @Override
    public void write(BufferData buffer) {
        to.write(counted(buffer));
    }

    @Override
    public void writeNow(BufferData... buffers) {
        to.writeNow(counted(buffers));
    }

    @Override
    public void writeNow(BufferData buffer) {
        to.writeNow(counted(buffer));
    }

    private BufferData[] counted(BufferData... buffers) {
        for (BufferData buffer : buffers) {
            guard.wrote(buffer.available());
        }
        return announced ? buffers : new BufferData[] {announcing(BufferData.create(buffers))};
    }

    /// Lowers the limit in the first frames that the library sends, which begin with its settings.
    private BufferData announcing(BufferData first) {
        byte[] bytes = first.readBytes();
        var frame = ByteBuffer.wrap(bytes);
        if (bytes.length >= HEAD && bytes[TYPE] == SETTINGS && bytes[FLAGS] == 0) {
            int end = Math.min(bytes.length, HEAD + (frame.getInt(0) >>> 8));
            for (int at = HEAD; at + ENTRY <= end; at += ENTRY) {
                if (frame.getShort(at) == MAX_CONCURRENT_STREAMS) {
                    frame.putInt(at + 2, ANNOUNCED_STREAMS);
                }
            }
        }
        announced = true;
        return BufferData.create(bytes);
    }

    @Override
    public void flush() {
        to.flush();
    }

    @Override
    public void close() {
        to.close();
    }
}
