package dev.sheaf.server.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// A TCP proxy on a free port before a server: a line that can be cut or frozen, or whose connections break by
/// themselves.
public final class Line implements AutoCloseable {
    private final URI target;
    private final long most;
    private final ServerSocket server;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final ReadWriteLock ice = new ReentrantReadWriteLock();
    private final AtomicBoolean holds = new AtomicBoolean();
    private final CountDownLatch held = new CountDownLatch(1);

    /// @param most after how many bytes of answers a connection breaks
    public Line(URI target, long most) throws IOException {
        this.target = target;
        this.most = most;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /// How many connections there were.
    public int connections() {
        return open.size() / 2;
    }

    /// Breaks every connection and refuses new ones.
    public void cut() throws IOException {
        server.close();
        for (var socket : open) {
            socket.close();
        }
    }

    /// Nothing goes over it until [#thaw], by the same thread; connections stay open, and new ones are taken.
    public void freeze() {
        ice.writeLock().lock();
    }

    public void thaw() {
        ice.writeLock().unlock();
    }

    /// Hangs up on the client that sends the next COMMIT of a write to a PostgreSQL, where it arrives with [#deliver]:
    /// the client loses the answer, and the transaction happens later. Other connections go on. Works once.
    public void holdCommit() {
        holds.set(true);
    }

    public void deliver() {
        held.countDown();
    }

    private void hold(Socket from) throws IOException {
        from.close();
        try {
            held.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Commits {
        private boolean reads;

        boolean isHeld(byte[] sent, int length) {
            if (!holds.get()) {
                return false;
            }
            String text = new String(sent, 0, length, StandardCharsets.ISO_8859_1);
            reads = reads || text.contains("READ ONLY");
            boolean commits = text.contains("COMMIT\0");
            boolean isHeld = commits && !reads && holds.compareAndSet(true, false);
            reads = reads && !commits;
            return isHeld;
        }
    }

    private void accept() {
        try {
            while (true) {
                var near = server.accept();
                var far = new Socket(target.getHost(), target.getPort());
                open.addAll(List.of(near, far));
                if (server.isClosed()) { // cut just now, and these two not
                    cut();
                }
                Thread.ofVirtual().start(() -> pump(near, far, Long.MAX_VALUE));
                Thread.ofVirtual().start(() -> pump(far, near, most));
            }
        } catch (IOException e) {
            // cut
        }
    }

    private void pump(Socket from, Socket to, long most) {
        try (from;
                to) {
            var buffer = new byte[8_192];
            var commits = new Commits();
            long left = most;
            int read = from.getInputStream().read(buffer);
            while (read > 0 && left > 0) {
                if (commits.isHeld(buffer, read)) {
                    hold(from);
                }
                ice.readLock().lock();
                try {
                    to.getOutputStream().write(buffer, 0, (int) Math.min(read, left));
                } finally {
                    ice.readLock().unlock();
                }
                left -= read;
                read = left > 0 ? from.getInputStream().read(buffer) : -1;
            }
        } catch (IOException e) {
            // one side is gone, so the other goes as well
        }
    }

    @Override
    public void close() throws IOException {
        cut();
    }
}
