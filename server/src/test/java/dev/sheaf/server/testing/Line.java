package dev.sheaf.server.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/// A TCP proxy on a free port before a server: a line that can be cut, frozen, damaged or answered by something else,
/// or whose connections break by themselves.
public final class Line implements AutoCloseable {
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final URI target;
    private final long most;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final ReadWriteLock ice = new ReentrantReadWriteLock();
    private final AtomicBoolean holds = new AtomicBoolean();
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile boolean isDamaged;
    private volatile boolean isContentCut;
    private volatile boolean isContentHeld;
    private volatile byte @Nullable [] instead;
    private volatile Duration delay = Duration.ZERO;

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
        return connections.get();
    }

    /// Breaks every connection and refuses new ones.
    public void cut() throws IOException {
        server.close();
        hangUp();
    }

    /// Breaks every connection; new ones are taken.
    public void hangUp() throws IOException {
        for (var socket : open) {
            socket.close();
        }
    }

    /// From now on every request gets this answer and reaches no server.
    ///
    /// @param answer null: requests reach the server again
    public void answerWith(byte @Nullable [] answer) throws IOException {
        instead = answer;
        hangUp();
    }

    /// Whether a byte in the middle of each large piece of content is another one, in both directions.
    public void damage(boolean damages) {
        isDamaged = damages;
    }

    /// Whether a connection breaks after the head of the answer to a GET over HTTP.
    public void cutContent(boolean cuts) {
        isContentCut = cuts;
    }

    /// Whether nothing follows the head of the answer to a GET over HTTP, though its connection stays open.
    public void holdContent(boolean holds) {
        isContentHeld = holds;
    }

    /// How much later each piece arrives, in both directions.
    public void slow(Duration delay) {
        this.delay = delay;
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
            String text = new String(sent, 0, length, StandardCharsets.ISO_8859_1);
            reads = reads || text.contains("READ ONLY") || text.contains("statement_timeout"); // or sets a new one up
            // as it is parsed, not as it is answered
            boolean commits = text.contains("\0COMMIT\0");
            boolean isHeld = commits && !reads && holds.compareAndSet(true, false);
            reads = reads && !commits;
            return isHeld;
        }
    }

    private void accept() {
        try {
            while (true) {
                var near = server.accept();
                Thread.ofVirtual().start(() -> serve(near));
            }
        } catch (IOException e) {
            // cut
        }
    }

    private void serve(Socket near) {
        byte[] answer = instead;
        try {
            if (answer != null) {
                refuse(near, answer);
                return;
            }
            var far = new Socket(target.getHost(), target.getPort());
            connections.incrementAndGet();
            open.addAll(List.of(near, far));
            if (server.isClosed()) { // cut just now, and these two not
                cut();
            }
            var gets = new AtomicBoolean(); // the last request
            Thread.ofVirtual().start(() -> pump(near, far, Long.MAX_VALUE, gets, false));
            pump(far, near, most, gets, true);
        } catch (IOException e) {
            close(near); // nobody is there
        }
    }

    private static void refuse(Socket near, byte[] answer) throws IOException {
        try (near) {
            var last = new byte[4]; // until the empty line
            while (!Arrays.equals(last, END)) {
                System.arraycopy(last, 1, last, 0, 3);
                int next = near.getInputStream().read();
                if (next < 0) {
                    return;
                }
                last[3] = (byte) next;
            }
            near.getOutputStream().write(answer);
            near.shutdownOutput();
            near.getInputStream().transferTo(OutputStream.nullOutputStream()); // or the client might not see the answer
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone
        }
    }

    /// Returns where the head of an answer ends; -1 if it does not.
    private static int headEnd(byte[] bytes, int length) {
        for (int i = END.length; i <= length; i++) {
            if (Arrays.equals(bytes, i - END.length, i, END, 0, END.length)) {
                return i;
            }
        }
        return -1;
    }

    private void pump(Socket from, Socket to, long most, AtomicBoolean gets, boolean answers) {
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
                if (!answers) {
                    gets.set(new String(buffer, 0, 4, StandardCharsets.ISO_8859_1).equals("GET "));
                } else if ((isContentCut || isContentHeld) && gets.get() && headEnd(buffer, read) > 0) {
                    read = headEnd(buffer, read);
                    left = read;
                }
                if (isDamaged && read == buffer.length) {
                    buffer[read / 2] ^= 1;
                }
                send(to, buffer, (int) Math.min(read, left));
                left -= read;
                if (left == 0 && isContentHeld) {
                    from.getInputStream().transferTo(OutputStream.nullOutputStream());
                }
                read = left > 0 ? from.getInputStream().read(buffer) : -1;
            }
        } catch (IOException e) {
            // one side is gone, so the other goes as well
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private void send(Socket to, byte[] buffer, int count) throws IOException {
        LockSupport.parkNanos(delay.toNanos());
        ice.readLock().lock();
        try {
            to.getOutputStream().write(buffer, 0, count);
        } finally {
            ice.readLock().unlock();
        }
    }

    @Override
    public void close() throws IOException {
        cut();
    }
}
