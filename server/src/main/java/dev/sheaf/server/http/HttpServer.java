package dev.sheaf.server.http;

import io.helidon.common.socket.SocketOptions;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;

/// The listener: one port, HTTP/1.1, every request to [Dispatcher].
public final class HttpServer implements AutoCloseable {
    private static final int MAX_PROLOGUE = 8 << 10;
    private static final int MAX_HEADERS = 32 << 10;

    private final Dispatcher dispatcher;
    private final Watch watch;
    private final WebServer server;

    /// How long things may take.
    ///
    /// @param api the work of a request that reads; zero: any time
    /// @param transfer between two moves of a connection
    public record Times(Duration api, Duration transfer) {
        public static final Times USUAL = new Times(Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    /// Where to listen.
    ///
    /// @param port 0 for any free one
    /// @param maxConnections open connections beyond which no more are accepted
    public record Address(String host, int port, int maxConnections) {}

    /// @throws java.io.UncheckedIOException where the port cannot be had
    public HttpServer(Address address, Times times, Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
        this.watch = new Watch(times.api(), times.transfer());
        this.server = WebServer.builder()
                .host(address.host())
                .port(address.port())
                .maxTcpConnections(address.maxConnections())
                .shutdownHook(false)
                .shutdownGracePeriod(Duration.ofMillis(500))
                .useNio(false) // which copies all that is sent through 8 KiB at a time
                .writeBufferSize(16 << 10)
                .connectionOptions(
                        new Accepting(SocketOptions.builder().tcpNoDelay(true).build(), watch))
                .protocolsDiscoverServices(false)
                .addProtocol(Http1Config.builder()
                        .maxPrologueLength(MAX_PROLOGUE)
                        .maxHeadersSize(MAX_HEADERS)
                        .validatePrologue(false) // a range such as ^1.2 or an asset path may come unencoded
                        .continueImmediately(false)
                        .build())
                .routing(HttpRouting.builder().any((request, response) -> dispatcher.handle(request, response, watch)))
                .build()
                .start();
        if (server.port() < 0) { // the library has logged why, and goes on without a port
            server.stop();
            watch.close();
            throw new UncheckedIOException(
                    new BindException("cannot listen on " + address.host() + ":" + address.port()));
        }
    }

    public int port() {
        return server.port();
    }

    /// Refuses new requests, waits for running ones, at most `limit`, then closes the port.
    ///
    /// @return how many requests were cut off
    public int stop(Duration limit) {
        int left = dispatcher.drain(limit);
        server.stop();
        watch.close();
        return left;
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
