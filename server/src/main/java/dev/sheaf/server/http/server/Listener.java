package dev.sheaf.server.http.server;

import dev.sheaf.server.cpu.HandOver;
import io.helidon.common.concurrency.limits.FixedLimit;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.context.Context;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.DirectHandlers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts connections, each with its own thread, and lets the HTTP library serve them. Thread-safe.
final class Listener implements ListenerContext, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final int BACKLOG = 1_024;
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final Duration NEW = Duration.ofSeconds(1); // of a connection: its first request is on its way
    private static final Duration ARRIVAL = Duration.ofSeconds(5); // of a request that has begun to come
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ServerSocketChannel server;
    private final Selector arrivals;
    private final int port;
    private final Thread thread;
    private final Connections connections;
    private final Handshake handshake;
    private final Router router;
    private final ListenerConfig config;
    private final Context context = Context.builder().id("http").build();
    private final MediaContext media = MediaContext.create();
    private final DirectHandlers direct = DirectHandlers.create();
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Limit unlimited = FixedLimit.create();
    private final Set<Connected> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /// A version of HTTP.
    interface Speech {
        WireConnection on(WireSocket socket, Listener listener);
    }

    /// The beginning of a connection.
    interface Handshake {
        /// Returns the connection after both sides have agreed on a protocol.
        WireConnection shake(SocketChannel channel, Listener listener) throws IOException;
    }

    /// @throws IOException if the address cannot be used
    Listener(InetSocketAddress address, Connections connections, Handshake handshake, Router router)
            throws IOException {
        this.connections = connections;
        this.handshake = handshake;
        this.router = router;
        this.config = ListenerConfig.builder()
                .writeBufferSize(0) // small writes are buffered elsewhere; waiting connections need no buffer
                .contentEncoding(new NoContentEncoding())
                .buildPrototype();
        router.beforeStart();
        this.server = ServerSocketChannel.open();
        try {
            server.bind(address, BACKLOG);
            server.configureBlocking(false);
            this.arrivals = Selector.open();
            server.register(arrivals, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        this.port = ((InetSocketAddress) server.getLocalAddress()).getPort();
        this.thread = Thread.ofPlatform().name("listener").start(this::listen);
    }

    int port() {
        return port;
    }

    /// Takes connections until the end, and at the end those that the operating system already has: it would reset
    /// them, and a proxy does not repeat the requests that it sent on them.
    private void listen() {
        try (server;
                arrivals) {
            while (!stopped) {
                arrivals.select(this::takeAll);
            }
            takeAll();
        } catch (IOException e) {
            LOG.error("no more connections are accepted", e);
        }
    }

    private void takeAll(SelectionKey ready) {
        takeAll();
    }

    private void takeAll() {
        try {
            for (int i = 0; i < BACKLOG; i++) {
                var channel = server.accept();
                if (channel == null) {
                    return;
                }
                take(channel);
            }
        } catch (IOException | RuntimeException | Error e) { // such as too many open files
            LOG.warn("a connection could not be accepted", e);
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(SocketChannel channel) throws IOException {
        Connections.Connection known = null;
        boolean taken = false;
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            known = connections.accepted(channel);
            var connected = new Connected(known, this);
            open.add(connected);
            connected.begin();
            HandOver.done();
            taken = true;
        } catch (IOException e) { // no room, or the client is gone
            LOG.debug("a connection was not taken", e);
        } finally {
            if (!taken) {
                refuse(channel, known);
            }
        }
    }

    private void refuse(SocketChannel channel, Connections.@Nullable Connection known) throws IOException {
        if (known != null) {
            open.removeIf(connected -> connected.isOn(known));
            connections.over(known);
        }
        channel.close();
    }

    WireConnection shake(SocketChannel channel) throws IOException {
        return handshake.shake(channel, this);
    }

    Limit limit() {
        return unlimited;
    }

    void over(Connected connected, Connections.Connection known) {
        open.remove(connected);
        connections.over(known);
    }

    /// Closes the port and every connection without a request. Waits until the others have had their last one, at most
    /// until the limit, and for at most a few seconds if no request runs.
    void leave(Duration limit, BooleanSupplier running) {
        closePort();
        long begin = System.nanoTime();
        while (!haveLeft(NEW) && !isOver(begin, limit) && (!isOver(begin, ARRIVAL) || running.getAsBoolean())) {
            nap();
        }
    }

    /// Closes the port if it is still open, gives running requests half a second to end, and closes all
    /// connections.
    @Override
    public void close() {
        closePort();
        long begin = System.nanoTime();
        while (!haveLeft(Duration.ZERO) && !isOver(begin, GRACE)) {
            nap();
        }
        open.forEach(Connected::cut);
        executor.shutdownNow();
        router.afterStop();
    }

    private void closePort() {
        stopped = true;
        arrivals.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns whether all have left.
    private boolean haveLeft(Duration age) {
        open.forEach(connected -> connected.leave(age));
        return open.isEmpty();
    }

    private static boolean isOver(long begin, Duration limit) {
        return System.nanoTime() - begin >= limit.toNanos()
                || Thread.currentThread().isInterrupted();
    }

    private static void nap() {
        try {
            TimeUnit.MILLISECONDS.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    Router router() {
        return router;
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public MediaContext mediaContext() {
        return media;
    }

    @Override
    public ContentEncodingContext contentEncodingContext() {
        return config.contentEncoding().orElseThrow();
    }

    @Override
    public DirectHandlers directHandlers() {
        return direct;
    }

    @Override
    public ListenerConfig config() {
        return config;
    }

    @Override
    public ExecutorService executor() {
        return executor;
    }
}
