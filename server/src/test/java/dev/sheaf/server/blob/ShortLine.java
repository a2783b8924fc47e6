package dev.sheaf.server.blob;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/// A TCP proxy whose connections break after some bytes of answers.
final class ShortLine implements AutoCloseable {
    private final URI target;
    private final int bytes;
    private final ServerSocket server;
    private final AtomicInteger connections = new AtomicInteger();

    ShortLine(URI target, int bytes) throws IOException {
        this.target = target;
        this.bytes = bytes;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    int connections() {
        return connections.get();
    }

    private void accept() {
        try {
            while (true) {
                var near = server.accept();
                var far = new Socket(target.getHost(), target.getPort());
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> pump(near, far, Integer.MAX_VALUE));
                Thread.ofVirtual().start(() -> pump(far, near, bytes));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void pump(Socket from, Socket to, int most) {
        try (from;
                to) {
            var in = from.getInputStream();
            var buffer = new byte[8_192];
            int left = most;
            int read = in.read(buffer);
            while (read > 0 && left > 0) {
                to.getOutputStream().write(buffer, 0, Math.min(read, left));
                left -= read;
                read = left > 0 ? in.read(buffer) : -1;
            }
        } catch (IOException e) {
            // one side is gone, so the other goes as well
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
