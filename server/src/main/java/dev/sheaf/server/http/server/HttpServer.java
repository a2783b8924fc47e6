package dev.sheaf.server.http.server;

import dev.sheaf.server.cpu.Backlog;
import dev.sheaf.server.http.wire.Http1Head;
import dev.sheaf.server.http.wire.Http2Writer;
import dev.sheaf.server.metrics.Tally;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.http2.Http2Config;
import io.helidon.webserver.http2.Http2ConnectionSelector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The HTTP server: one port, with every request passed to [Requests]. HTTP/1.1; over TLS also HTTP/2, if the
/// operator allows it and the client chooses it (ALPN).
public final class HttpServer implements AutoCloseable {
    private static final int STREAM_WINDOW = 64 << 10; // bytes that a client may send before they are read

    private final Requests requests;
    private final Backlog backlog = new Backlog();
    private final Tally refused = new Tally();
    private final Connections connections;
    private final Timeouts watch;
    private final Listener listener;
    private final int port;

    /// Answers requests.
    public interface Requests {
        void handle(ServerRequest request, ServerResponse response, Timeouts watch);

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
            @Nullable Certificates certificates,
            Requests requests) {
        this.requests = requests;
        this.connections = new Connections(times.transfer(), room);
        var load = new Load(room, times.api(), backlog, refused);
        this.watch = new Timeouts(times, connections, load);
        var http1 = new Http1Wire(http1(), connections);
        var http2 = address.http2() ? new Http2Wire(http2(times), connections) : null;
        var routing = HttpRouting.builder().any((request, response) -> requests.handle(request, response, watch));
        try {
            this.listener = new Listener(
                    new InetSocketAddress(InetAddress.getByName(address.host()), address.port()),
                    connections,
                    certificates == null
                            ? (channel, its) -> http1.on(new WireSocket(channel, channel.socket()), its)
                            : new TlsHandshake(ServerTls.of(certificates), http1, http2),
                    Router.builder().addRouting(routing).build());
            this.port = listener.port();
        } catch (IOException e) {
            watch.close();
            var refused = new BindException("cannot listen on " + address.host() + ":" + address.port());
            refused.initCause(e);
            throw new UncheckedIOException(refused);
        }
    }

    /// Returns HTTP/1 without upgrades. A client could use an upgrade to bypass the rules of a proxy ("h2c
    /// smuggling").
    private static Http1ConnectionSelector http1() {
        return Http1ConnectionSelector.builder()
                .config(Http1Config.builder()
                        .maxPrologueLength(4 * Http1Head.MAX_LINE) // each byte may have been percent-encoded
                        .maxHeadersSize(2 * Http1Head.MAX_FIELDS) // Http1Head has limited both
                        .validatePrologue(false)
                        .validateRequestHeaders(false) // Http1Head has done so
                        .validatePath(false) // invalid encodings match no route
                        .continueImmediately(false)
                        .buildPrototype())
                .build();
    }

    private static Http2ConnectionSelector http2(Times times) {
        return Http2ConnectionSelector.builder()
                .http2Config(Http2Config.builder()
                        .maxHeaderListSize(Http1Head.MAX_FIELDS)
                        .maxConcurrentStreams(Http2Writer.ACCEPTED_STREAMS)
                        .initialWindowSize(STREAM_WINDOW)
                        .flowControlTimeout(times.transfer())
                        .validatePath(false)
                        .buildPrototype())
                .build();
    }

    public int port() {
        return port;
    }

    /// Returns the number of open connections.
    public int connections() {
        return connections.count();
    }

    /// Returns the number of running requests.
    public int running() {
        return watch.running();
    }

    /// Returns the numbers of requests that were refused because the node had too much to do, by what it lacked.
    public Tally refused() {
        return refused;
    }

    /// Returns how long a request waits for a processor, in nanoseconds: an estimate.
    public long waiting() {
        return backlog.nanos();
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
        long begin = System.nanoTime();
        listener.leave(limit.dividedBy(2), () -> watch.running() > 0);
        int left = requests.drain(limit.minusNanos(System.nanoTime() - begin));
        listener.close();
        watch.close();
        return left;
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
