package dev.sheaf.server.module;

import dev.sheaf.engine.heap.HeapPlan;
import dev.sheaf.engine.http.ConnectionLimit;
import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.http.routing.StartAnswers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The port of a node. If its start waits for the database or the bucket, the port is open before the node can serve,
/// and says so.
public final class NodePort implements AutoCloseable {
    private static final long MOST_CONNECTIONS = 4_096;

    private final Config config;
    private final Optional<ServerCertificates> certificates;
    private final StartAnswers answers = new StartAnswers();
    private @Nullable HttpServer server; // null until it is open

    /// Opens nothing yet.
    ///
    /// @throws StartException if the certificate cannot be read
    public NodePort(Config config) {
        this.config = config;
        this.certificates = certificates(config);
    }

    /// Checks that it can be opened, and opens nothing.
    ///
    /// @throws StartException if the port is taken
    void check() {
        if (server != null) {
            return;
        }
        var address = new InetSocketAddress(config.text(Setting.HOST), (int) config.number(Setting.PORT));
        try (var socket = new ServerSocket()) {
            socket.bind(address);
        } catch (IOException e) {
            throw taken();
        }
    }

    /// Opens it, if it is closed, and says there what the start waits for.
    ///
    /// @param what such as "the database"; everybody can read it
    /// @throws StartException if the port is taken
    public void waitFor(String what) {
        answers.waitFor(what);
        opened();
    }

    /// Passes all requests to the node from now on. Opens it, if it is closed.
    ///
    /// @throws StartException if the port is taken
    HttpServer serve(HttpServer.Requests requests) {
        answers.serve(requests);
        return opened();
    }

    private HttpServer opened() {
        if (server == null) {
            var address = new HttpServer.Address(
                    config.text(Setting.HOST), (int) config.number(Setting.PORT), config.isOn(Setting.HTTP2));
            try {
                server = new HttpServer(address, limit(), times(), certificates.orElse(null), answers);
            } catch (UncheckedIOException e) {
                throw taken();
            }
        }
        return server;
    }

    private StartException taken() {
        return new StartException(
                ServerExit.PORT_TAKEN,
                "cannot listen on " + config.text(Setting.HOST) + ":" + config.text(Setting.PORT)
                        + ": the port is taken or the address is not this machine's; stop what uses the port, or choose"
                        + " others with --port and --host");
    }

    private static Optional<ServerCertificates> certificates(Config config) {
        try {
            return config.find(Setting.TLS_CERTIFICATE)
                    .map(chain -> new ServerCertificates(Path.of(chain), Path.of(config.text(Setting.TLS_KEY))));
        } catch (IllegalArgumentException e) {
            throw new StartException(ServerExit.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private ConnectionLimit limit() {
        int most = connections(config);
        long share = config.number(Setting.MAX_CONNECTIONS_PER_ADDRESS);
        return new ConnectionLimit(
                most,
                (int) (share > 0 ? share : Math.max(1, most / 4)),
                OpsModule.blocks(config, Setting.TRUSTED_PROXIES));
    }

    /// Returns the limit of connections: the setting, or a limit that depends on the heap.
    static int connections(Config config) {
        long set = config.number(Setting.MAX_CONNECTIONS);
        return (int) (set > 0 ? set : Math.min(HeapPlan.OF_THIS_PROCESS.connections(), MOST_CONNECTIONS));
    }

    private HttpServer.Times times() {
        return new HttpServer.Times(
                config.duration(Setting.API_TIMEOUT),
                config.duration(Setting.TRANSFER_TIMEOUT),
                new HttpServer.Pace(config.number(Setting.MIN_BODY_RATE), HttpServer.Pace.USUAL.grace()));
    }

    Optional<ServerCertificates> certificates() {
        return certificates;
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
