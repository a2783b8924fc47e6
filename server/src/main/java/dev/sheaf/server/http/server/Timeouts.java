package dev.sheaf.server.http.server;

import dev.sheaf.server.http.wire.Http1Bytes;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends requests and connections that take too long. The HTTP server has no working limits of its own, and a
/// timeout on each read would admit clients that send a byte now and then. One thread checks all connections
/// and requests at least eight times within the shortest limit, so limits are exact to an eighth.
/// Thread-safe.
///
/// [Connections] that wait for a request are closed after `transfer`. So is a connection on which a request's body
/// or an answer has not moved for that time, or moves below the minimum pace, see [MinimumPace]. The thread of a
/// request that works for longer than `api`, not counting transfers, is interrupted.
public final class Timeouts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Timeouts.class);
    private static final int PAUSE_MILLIS = 250; // how long a refused client may pause
    private static final long MIN_PAUSE_MILLIS = 5;
    private static final long MAX_PAUSE_MILLIS = 1_000;

    private final long api;
    private final long transfer;
    private final HttpServer.Pace pace;
    private final Connections connections;
    private final Load load;
    private final Set<Work> running = ConcurrentHashMap.newKeySet();
    private final Thread thread;

    Timeouts(HttpServer.Times times, Connections connections, Load load) {
        this.api = times.api().toNanos();
        this.transfer = times.transfer().toNanos();
        this.pace = times.pace();
        this.connections = connections;
        this.load = load;
        long shortest = TimeUnit.NANOSECONDS.toMillis(api == 0 ? transfer : Math.min(api, transfer));
        long pause = Math.clamp(shortest / 8, MIN_PAUSE_MILLIS, MAX_PAUSE_MILLIS);
        this.thread = Thread.ofPlatform().name("watch").daemon().start(() -> run(pause));
    }

    /// A running request.
    public final class Work {
        private volatile Thread worker = Thread.currentThread();
        private final Connections.@Nullable Connection connection;
        private final int stream; // the id of the HTTP/2 stream
        private final Load.Verdict verdict;
        private volatile boolean reset;
        private volatile long deadline = System.nanoTime() + api;
        private volatile long movingSince;
        private volatile boolean moving;
        private volatile boolean timed;
        private volatile boolean resting;
        private volatile long lingerEnd;
        private final MinimumPace in = new MinimumPace(pace, Duration.ofNanos(transfer));
        private final MinimumPace out = new MinimumPace(pace, Duration.ofNanos(transfer));
        private volatile boolean cut;
        private final AtomicInteger state = new AtomicInteger(WORKING);

        private static final int WORKING = 0;
        private static final int INTERRUPTING = 1;
        private static final int INTERRUPTED = 2;
        private static final int DONE = 3;

        private Work(Connections.@Nullable Connection connection, int stream) {
            this.connection = connection;
            this.stream = stream;
            this.verdict = load.begin(connection);
        }

        /// @throws dev.sheaf.model.ProblemException unavailable if the node has too much to do
        public void admit() {
            load.apply(verdict);
        }

        /// Returns how long the request may take, in nanoseconds; zero for no limit.
        public long patience() {
            return api;
        }

        /// Applies the time limit to this request, counted from its beginning.
        public void limit() {
            timed = api > 0;
        }

        /// Records that a transfer begins; its time does not count as work.
        ///
        /// @return the value to pass to [#moved]
        public long move() {
            long now = System.nanoTime();
            movingSince = now;
            moving = true;
            return now;
        }

        /// Waits for other callers. This time counts neither as work nor as standing still.
        public void rest(Runnable waiting) {
            worker = Thread.currentThread();
            long since = System.nanoTime();
            resting = true;
            load.leave(connection);
            try {
                await(waiting);
            } finally {
                load.enter(connection);
                long now = System.nanoTime();
                movingSince = now;
                deadline += moving ? 0 : now - since; // otherwise #moved counts it
                resting = false;
            }
        }

        private void await(Runnable waiting) {
            var streams = connection == null ? null : connection.streams;
            if (streams == null) {
                waiting.run();
            } else {
                reset = !streams.await(stream, waiting);
            }
        }

        /// Returns whether the client has reset its HTTP/2 stream since it began to wait.
        public boolean isReset() {
            return reset;
        }

        /// Returns whether the client has closed the connection or, over HTTP/2, has reset the stream.
        public boolean isGone() {
            return reset || connection != null && connection.isGone();
        }

        /// Records that the rest of the body is unwanted and is read only within the limit.
        void linger(Duration limit) {
            lingerEnd = System.nanoTime() + limit.toNanos();
        }

        /// Ends the limit of [#linger].
        void lingered() {
            lingerEnd = 0;
        }

        /// Records that a wait for bytes of the body begins.
        ///
        /// @return the value to pass to [#received]
        long receive() {
            long now = move();
            in.await(now, 0);
            return now;
        }

        /// @param bytes how many bytes were received
        void received(long since, int bytes) {
            moved(since);
            in.moved(System.nanoTime(), bytes);
        }

        /// Records that bytes of the answer are about to be sent. Only between [#move] and [#moved].
        public void send(int bytes) {
            movingSince = System.nanoTime();
            out.await(movingSince, bytes);
        }

        /// Records that the other side, or a buffer before it, has taken the bytes.
        public void sent(int bytes) {
            movingSince = System.nanoTime();
            out.moved(movingSince, bytes);
        }

        /// Returns the limit of bytes of an answer that are sent together.
        public int piece() {
            return MinimumPace.piece(pace, transfer);
        }

        private boolean isTooSlow(long now) {
            return now - movingSince > transfer || in.isTooSlow(now) || out.isTooSlow(now);
        }

        /// Returns whether the connection only gets answers about health, see [ConnectionLimit].
        public boolean isSpare() {
            return connection != null && connection.slot == ConnectionLimit.Slot.SPARE;
        }

        public void moved(long since) {
            moving = false;
            deadline += System.nanoTime() - since;
        }

        /// Returns the HTTP/1 bytes of the connection; null over HTTP/2.
        @Nullable
        public Http1Bytes wire() {
            return connection == null ? null : connection.wire;
        }

        /// Reads the rest of a refused request, within limits, so that the client can read the refusal (RFC
        /// 9112, section 9.6).
        void discard(long bytes, Duration limit) {
            var wire = wire();
            if (wire != null && connection != null) {
                connection.pause(PAUSE_MILLIS);
                wire.discard(bytes, System.nanoTime() + limit.toNanos());
            }
        }

        /// Returns whether the connection was closed because its transfer stood still or was too slow.
        boolean isCut() {
            return cut;
        }

        /// Records that the handler has returned or thrown.
        ///
        /// @return whether it was interrupted for taking too long
        public boolean done() {
            if (state.compareAndSet(WORKING, DONE)) {
                return false;
            }
            while (state.get() == INTERRUPTING) {
                Thread.onSpinWait();
            }
            Thread.interrupted();
            return true;
        }

        /// Records that the handler continues after a wait; its time limit begins again.
        public void again() {
            deadline = System.nanoTime() + api;
            state.compareAndSet(DONE, WORKING);
        }

        private void check(long now) {
            if (lingerEnd != 0 && now - lingerEnd > 0 && !cut) {
                cut = true;
                if (connection != null && connection.wire != null) {
                    connection.shut();
                }
                worker.interrupt();
            } else if (resting) {
                return;
            } else if (moving && !cut && connection != null && isTooSlow(now)) {
                LOG.debug("{}: closed, because its transfer stands still or is too slow", connection.channel);
                cut = true;
                connection.shut();
                worker.interrupt(); // over HTTP/2 the closed connection does not wake it
            } else if (timed && !moving && now - deadline > 0 && state.compareAndSet(WORKING, INTERRUPTING)) {
                worker.interrupt();
                state.set(INTERRUPTED);
            }
        }
    }

    /// Returns the number of running requests.
    int running() {
        return running.size();
    }

    /// Begins a request on the current thread.
    ///
    /// @param stream the id of the HTTP/2 stream
    public Work begin(SocketAddress peer, int stream) {
        var work = new Work(connections.find(peer), stream);
        running.add(work);
        return work;
    }

    public void end(Work work) {
        running.remove(work);
        var streams = work.connection == null ? null : work.connection.streams;
        if (streams != null) {
            streams.forget(work.stream);
        }
        load.end(work.connection);
    }

    private void run(long pause) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                long now = System.nanoTime();
                running.forEach(work -> work.check(now));
                connections.check(now);
            } catch (RuntimeException | Error e) { // the thread must go on, or no time limit would work
                LOG.error("a check of the connections failed", e);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(pause);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
