package dev.sheaf.server.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A TCP proxy before a PostgreSQL server, whose line can be cut.
public final class CutProxy implements AutoCloseable {
    private final URI target;
    private final ServerSocket server;
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    public CutProxy(String jdbcUrl) throws IOException {
        this.target = URI.create(jdbcUrl.substring("jdbc:".length()));
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + target.getPath();
    }

    /// Breaks every connection and refuses new ones.
    public void cut() throws IOException {
        server.close();
        for (var socket : open) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                var near = server.accept();
                var far = new Socket(target.getHost(), target.getPort());
                open.add(near);
                open.add(far);
                if (server.isClosed()) { // cut just now, and these two not
                    cut();
                }
                Thread.ofVirtual().start(() -> pump(near, far));
                Thread.ofVirtual().start(() -> pump(far, near));
            }
        } catch (IOException e) {
            // cut
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one side is gone, so the other goes as well
        }
    }

    @Override
    public void close() throws IOException {
        cut();
    }
}
