package dev.sheaf.server.http.server;

import dev.sheaf.server.http.wire.Http1Head;
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
    private static final int MAX_STREAMS = 100;
    private static final int STREAM_WINDOW = 64 << 10; // bytes that a client may send before they are read

    private final Requests requests;
    private final Connections connections;
    private final Timeouts watch;
    private final Listener listener;
    private final int port;

    /// Answers requests.
    public interface Requests {
        void handle(ServerRequest request, ServerResponse response, Timeouts watch);

        /// Refuses new requests and waits for running ones within `limit`.
        ///
        /// @return the number of requests still running
        int drain(Duration limit);
    }

    /// Time limits.
    ///
    /// @param api for the work of a request that reads; zero for no limit
    /// @param transfer between two moves of a connection
    /// @param pace the minimum pace of bodies
    public record Times(Duration api, Duration transfer, Pace pace) {
        public static final Times USUAL = new Times(Duration.ofSeconds(10), Duration.ofSeconds(60), Pace.USUAL);
    }

    /// The minimum pace at which a request body must come, or the body of an answer must be read.
    ///
    /// @param bytesPerSecond 0 for no minimum
    /// @param grace how long it may be slower, in total
    public record Pace(long bytesPerSecond, Duration grace) {
        public static final Pace USUAL = new Pace(1_024, Duration.ofSeconds(10));
    }

    /// The address to listen on.
    ///
    /// @param port 0 for any free one
    /// @param http2 whether clients may choose HTTP/2 over TLS
    public record Address(String host, int port, boolean http2) {}

    /// @param room limits the number of connections
    /// @param certificates of TLS, which is then required; null for plain HTTP/1.1
    /// @throws java.io.UncheckedIOException if the port cannot be opened
    public HttpServer(
            Address address,
            ConnectionLimit room,
            Times times,
            @Nullable Certificates certificates,
            Requests requests) {
        this.requests = requests;
        this.connections = new Connections(times.transfer(), room);
        this.watch = new Timeouts(times, connections);
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

    /// Returns HTTP/1 without upgrades: an upgrade through a proxy would give a tunnel past its rules ("h2c
    /// smuggling").
    private static Http1ConnectionSelector http1() {
        return Http1ConnectionSelector.builder()
                .config(Http1Config.builder()
                        .maxPrologueLength(4 * Http1Head.MAX_LINE) // each byte may have been percent-encoded
                        .maxHeadersSize(2 * Http1Head.MAX_FIELDS) // both are limited before
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
                        .maxConcurrentStreams(MAX_STREAMS)
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

    /// Refuses new requests, waits for running ones within `limit`, then closes the port.
    ///
    /// @return the number of requests that were cut off
    public int stop(Duration limit) {
        int left = requests.drain(limit);
        listener.close();
        watch.close();
        return left;
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
