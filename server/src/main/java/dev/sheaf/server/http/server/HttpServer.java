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

/// The listener: one port, every request to [Requests]. HTTP/1.1; over TLS also HTTP/2, where the operator allows
/// it and the client chooses it (ALPN).
public final class HttpServer implements AutoCloseable {
    private static final int MAX_STREAMS = 100;
    private static final int STREAM_WINDOW = 64 << 10; // what a client may send before it is read

    private final Requests requests;
    private final Connections connections;
    private final Timeouts watch;
    private final Listener listener;
    private final int port;

    /// Who answers.
    public interface Requests {
        void handle(ServerRequest request, ServerResponse response, Timeouts watch);

        /// Refuses new requests and waits for running ones, at most `limit`.
        ///
        /// @return how many are left
        int drain(Duration limit);
    }

    /// How long things may take.
    ///
    /// @param api the work of a request that reads; zero: any time
    /// @param transfer between two moves of a connection
    /// @param pace how slowly a body may move
    public record Times(Duration api, Duration transfer, Pace pace) {
        public static final Times USUAL = new Times(Duration.ofSeconds(10), Duration.ofSeconds(60), Pace.USUAL);
    }

    /// How slowly the body of a request may come, or that of an answer may be taken.
    ///
    /// @param bytesPerSecond 0: as slowly as it likes
    /// @param grace how long it may be slower, in all
    public record Pace(long bytesPerSecond, Duration grace) {
        public static final Pace USUAL = new Pace(1_024, Duration.ofSeconds(10));
    }

    /// Where to listen.
    ///
    /// @param port 0 for any free one
    /// @param http2 whether clients may choose HTTP/2, over TLS
    public record Address(String host, int port, boolean http2) {}

    /// @throws java.io.UncheckedIOException where the port cannot be had
    /// @param certificates those of TLS, which then is all that is spoken; null: it is plain HTTP/1.1
    /// @param room for how many connections
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

    /// No upgrades: who asks a proxy for one gets a tunnel past its rules ("h2c smuggling").
    private static Http1ConnectionSelector http1() {
        return Http1ConnectionSelector.builder()
                .config(Http1Config.builder()
                        .maxPrologueLength(4 * Http1Head.MAX_LINE) // of which each byte may have been encoded
                        .maxHeadersSize(2 * Http1Head.MAX_FIELDS) // both are bounded before
                        .validatePrologue(false)
                        .validateRequestHeaders(false) // Http1Head has done so
                        .validatePath(false) // broken encodings are no path that is known
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

    /// How many connections are open.
    public int connections() {
        return connections.count();
    }

    /// How many requests are being carried out.
    public int running() {
        return watch.running();
    }

    /// Refuses new requests, waits for running ones, at most `limit`, then closes the port.
    ///
    /// @return how many requests were cut off
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
