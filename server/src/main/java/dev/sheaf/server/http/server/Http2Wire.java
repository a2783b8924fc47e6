package dev.sheaf.server.http.server;

import dev.sheaf.server.http.wire.FrameGuard;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.webserver.http2.Http2ConnectionSelector;
import java.util.concurrent.Executors;

/// Creates HTTP/2 connections of the HTTP library, which reads through [FrameGuard]. The threads of its streams
/// end with the connection. The library would let them wait for bodies and window updates that never come.
///
/// @param to the library's factory of connections
record Http2Wire(Http2ConnectionSelector to, Connections connections) implements Listener.Speech {
    private static final int PIECE = 8 << 10;

    @Override
    public WireConnection on(WireSocket socket, Listener listener) {
        var streams = Executors.newVirtualThreadPerTaskExecutor();
        var waiting = new WaitingStreams();
        var guard = new FrameGuard(() -> socket.next(PIECE), System::nanoTime, waiting::reset);
        var context = new WireContext(
                socket, listener, DataReader.create(guard::get), new Counted(socket.writer(), guard), streams);
        var connection = to.connection(context);
        connections.speaks(socket.remotePeer().address(), waiting);
        connections.atEnd(socket.remotePeer().address(), () -> {
            connection.close(true); // its thread may wait for a stream whose client stopped reading
            streams.shutdownNow();
        });
        return new WireConnection(connection, () -> {
            streams.shutdownNow();
            socket.close();
        });
    }

    /// Counts the bytes that are sent.
    private record Counted(DataWriter to, FrameGuard guard) implements DataWriter {
        @Override
        public void write(BufferData... buffers) {
            count(buffers);
            to.write(buffers);
        }

        @Override
        public void write(BufferData buffer) {
            count(buffer);
            to.write(buffer);
        }

        @Override
        public void writeNow(BufferData... buffers) {
            count(buffers);
            to.writeNow(buffers);
        }

        @Override
        public void writeNow(BufferData buffer) {
            count(buffer);
            to.writeNow(buffer);
        }

        private void count(BufferData... buffers) {
            for (BufferData buffer : buffers) {
                guard.wrote(buffer.available());
            }
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
}
