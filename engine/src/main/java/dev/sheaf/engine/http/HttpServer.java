package dev.sheaf.engine.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.nio.AbstractNioChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The HTTP server: one port, with every request passed to [Requests] on a virtual thread of its own. HTTP/1.1; over
/// TLS also HTTP/2, if the operator allows it and the client chooses it (ALPN). Few loops move the bytes of all
/// connections, and at least eight times within the shortest limit each looks for what takes too long.
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 1_024;
    private static final long MIN_PAUSE_MILLIS = 5;
    private static final long MAX_PAUSE_MILLIS = 1_000;
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final Duration NEW = Duration.ofSeconds(1); // of a connection: its first request is on its way
    private static final Duration ARRIVAL = Duration.ofSeconds(5); // of a request that has begun to come

    /// Netty writes heads character by character, and without `Unsafe` each one into a direct buffer costs several
    /// checks.
    /// So heads are written on the heap and then copied as a whole.
    private static final ByteBufAllocator MEMORY = new AdaptiveByteBufAllocator(false);

    private final Requests requests;
    private final Times times;
    private final boolean secure;
    private final AtomicInteger running = new AtomicInteger();
    private final Connections connections;
    private final MultiThreadIoEventLoopGroup loops;
    private final Channel port;

    /// Answers requests.
    public interface Requests {
        /// Answers a request, or ends it with [HttpExchange#abort]; also after this returns, on another thread.
        void handle(HttpExchange exchange);

        /// Lets each connection end with its next answer, so that clients connect elsewhere.
        void leave();

        /// Refuses new requests and waits for running ones within `limit`.
        ///
        /// @return the number of requests still running
        int drain(Duration limit);
    }

    /// Time limits.
    ///
    /// @param api the limit for the work of a request that reads; zero for no limit
    /// @param transfer the limit for a connection on which no byte moves
    /// @param pace the minimum pace of bodies
    public record Times(Duration api, Duration transfer, Pace pace) {
        public static final Times USUAL = new Times(Duration.ofSeconds(10), Duration.ofSeconds(60), Pace.USUAL);
    }

    /// The minimum pace at which clients must send a request body and read the body of an answer.
    ///
    /// @param bytesPerSecond 0 for no minimum
    /// @param grace how long a transfer may be slower, in total
    public record Pace(long bytesPerSecond, Duration grace) {
        public static final Pace USUAL = new Pace(1_024, Duration.ofSeconds(10));
    }

    /// The address to listen on.
    ///
    /// @param port 0 for any free port
    /// @param http2 whether clients may choose HTTP/2 over TLS
    public record Address(String host, int port, boolean http2) {}

    /// @param room limits the number of connections
    /// @param certificates the certificates of TLS, which is then required; null for plain HTTP/1.1
    /// @throws java.io.UncheckedIOException if the port cannot be opened
    public HttpServer(
            Address address,
            ConnectionLimit room,
            Times times,
            @Nullable ServerCertificates certificates,
            Requests requests) {
        this.requests = requests;
        this.times = times;
        this.secure = certificates != null;
        this.connections = new Connections(room);
        this.loops = new MultiThreadIoEventLoopGroup(
                Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                Thread.ofPlatform().name("http-", 0).factory(),
                NioIoHandler.newFactory());
        var bind = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(BACKLOG))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, MEMORY)
                .childHandler(new ConnectionPipelines(this, connections, certificates, address.http2()))
                .bind(new InetSocketAddress(address.host(), address.port()))
                .awaitUninterruptibly();
        this.port = bind.channel();
        if (!bind.isSuccess()) {
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            var refused = new BindException("cannot listen on " + address.host() + ":" + address.port());
            refused.initCause(bind.cause());
            throw new UncheckedIOException(refused);
        }
        watch();
    }

    private void watch() {
        long api = times.api().toMillis();
        long transfer = times.transfer().toMillis();
        long shortest = api == 0 ? transfer : Math.min(api, transfer);
        long pause = Math.clamp(shortest / 8, MIN_PAUSE_MILLIS, MAX_PAUSE_MILLIS);
        long patience = times.transfer().toNanos();
        loops.forEach(executor -> {
            var loop = (EventLoop) executor;
            loop.scheduleWithFixedDelay(() -> connections.check(loop, patience), pause, pause, TimeUnit.MILLISECONDS);
        });
    }

    Requests requests() {
        return requests;
    }

    Times times() {
        return times;
    }

    boolean isSecure() {
        return secure;
    }

    void begin() {
        running.incrementAndGet();
    }

    void end() {
        running.decrementAndGet();
    }

    /// Returns whether a further stream of a connection is too much, because as many requests run as connections are
    /// allowed. Each connection may have one.
    boolean isCrowded(ClientConnection connection) {
        return running() >= connections.most() && !connection.isIdle();
    }

    public int port() {
        return ((InetSocketAddress) port.localAddress()).getPort();
    }

    /// Returns the number of open connections.
    public int connections() {
        return connections.count();
    }

    /// Returns the number of running requests.
    public int running() {
        return running.get();
    }

    /// Lets each connection end with its next answer, so that clients connect elsewhere. All requests are still
    /// served.
    public void leave() {
        requests.leave();
    }

    /// Closes the port and idle connections, so that a proxy tries another node. Requests that were sent on open
    /// connections are served for half of `limit`, because a proxy may not repeat them; later ones are refused.
    /// Waits for running requests within `limit`.
    ///
    /// @return the number of requests that were cut off
    public int stop(Duration limit) {
        requests.leave();
        if (loops.isShuttingDown()) {
            return requests.drain(limit);
        }
        long begin = System.nanoTime();
        closePort();
        var half = limit.dividedBy(2);
        while (!connections.haveLeft(NEW) && !isOver(begin, half) && (!isOver(begin, ARRIVAL) || running() > 0)) {
            nap();
        }
        int left = requests.drain(limit.minusNanos(System.nanoTime() - begin));
        long last = System.nanoTime();
        while (!connections.haveLeft(Duration.ZERO) && !isOver(last, GRACE)) {
            nap();
        }
        connections.cut();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        return left;
    }

    /// Takes the connections that the operating system already has before it closes the port: it would reset them, and
    /// a proxy does not repeat the requests that it sent on them.
    private void closePort() {
        port.eventLoop().submit(this::takeAllAndClose).awaitUninterruptibly();
        loops.forEach(loop -> loop.submit(() -> {}).awaitUninterruptibly()); // until they have what was taken
    }

    private void takeAllAndClose() {
        if (port.isOpen()) {
            ((AbstractNioChannel.NioUnsafe) port.unsafe()).read();
            port.close();
        }
    }

    private static boolean isOver(long begin, Duration limit) {
        return System.nanoTime() - begin >= limit.toNanos()
                || Thread.currentThread().isInterrupted();
    }

    private static void nap() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
