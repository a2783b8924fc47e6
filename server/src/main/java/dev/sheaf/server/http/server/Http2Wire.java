package dev.sheaf.server.http.server;

import dev.sheaf.server.http.wire.FrameGuard;
import dev.sheaf.server.http.wire.Http2Writer;
import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.http2.Http2ConnectionSelector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates HTTP/2 connections of the HTTP library, which reads through [FrameGuard]. The threads of its streams
/// end with the connection. The library would let them wait for bodies and window updates that never come.
///
/// @param to the library's factory of connections
record Http2Wire(Http2ConnectionSelector to, Connections connections) implements Listener.Speech {
    private static final Logger LOG = LoggerFactory.getLogger(Http2Wire.class);
    private static final int PIECE = 8 << 10;

    @Override
    public WireConnection on(WireSocket socket, Listener listener) {
        var streams = new StreamThreads(Executors.newVirtualThreadPerTaskExecutor());
        var waiting = new WaitingStreams();
        var guard = new FrameGuard(() -> socket.next(PIECE), System::nanoTime, waiting::reset);
        var context = new WireContext(
                socket, listener, DataReader.create(guard::get), new Http2Writer(socket.writer(), guard), streams);
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

    /// Starts a virtual thread for each stream. A few at a time: each that begins starts the next, so that a connection
    /// that sends a hundred requests at once does not put them all before the requests of other connections.
    static final class StreamThreads extends AbstractExecutorService {
        static final int AT_ONCE = 4;

        private final ExecutorService threads;
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int starting;

        StreamThreads(ExecutorService threads) {
            this.threads = threads;
        }

        @Override
        public void execute(Runnable stream) {
            synchronized (waiting) {
                if (starting == AT_ONCE) {
                    waiting.add(stream);
                    return;
                }
                starting++;
            }
            start(stream);
        }

        private void start(Runnable stream) {
            threads.execute(() -> {
                startNext();
                stream.run();
            });
        }

        private void startNext() {
            Runnable next;
            synchronized (waiting) {
                next = waiting.poll();
                if (next == null) {
                    starting--;
                    return;
                }
            }
            try {
                start(next);
            } catch (RejectedExecutionException e) {
                LOG.debug("the connection has ended before its streams began", e);
            }
        }

        @Override
        public void shutdown() {
            threads.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return threads.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return threads.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return threads.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return threads.awaitTermination(timeout, unit);
        }
    }
}
