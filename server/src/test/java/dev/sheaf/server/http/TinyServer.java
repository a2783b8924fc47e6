package dev.sheaf.server.http;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.http.ConnectionLimit;
import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.MemoryBudget;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.engine.metrics.Metrics;
import dev.sheaf.server.audit.RefusedCalls;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.auth.ReadOnly;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.http.entity.RequestComputing;
import dev.sheaf.server.http.message.CorsOrigins;
import dev.sheaf.server.http.message.EdgePolicy;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.http.policy.ClientAddress;
import dev.sheaf.server.http.policy.RateCheck;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.http.routing.CallerCheck;
import dev.sheaf.server.http.routing.Dispatcher;
import dev.sheaf.server.idempotency.StoredAnswers;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Keys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// A server with the routes of a test and nothing else.
public final class TinyServer implements AutoCloseable {
    public final Keys keys;
    final MemoryBudget memory;
    private final Database database;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    private static final PathOwners NOBODYS = new PathOwners() {
        @Override
        public Optional<UUID> organization(String path, Map<String, String> parameters) {
            return Optional.empty();
        }

        @Override
        public UUID own(Caller.Known caller, String idOrHandle) {
            return caller.organizationId();
        }

        @Override
        public void administrator(Caller.Known caller) {}

        @Override
        public Optional<UUID> first() {
            return Optional.empty();
        }

        @Override
        public boolean isAdministrator(Caller.Known caller) {
            return false;
        }
    };

    static final int CONNECTIONS = 100;
    static final int CONNECTIONS_EACH = 50;
    private static final Protocols PLAIN = new Protocols(Optional.empty(), false);

    /// What is spoken: plain HTTP/1.1, or HTTPS with these certificates.
    record Protocols(Optional<ServerCertificates> certificates, boolean http2) {}

    public TinyServer(Path folder, long memory, List<Route> routes) {
        this(folder, memory, HttpServer.Times.USUAL, routes);
    }

    public TinyServer(Path folder, long memory, HttpServer.Times times, List<Route> routes) {
        this(folder, memory, times, PLAIN, routes);
    }

    public TinyServer(Path folder, long memory, HttpServer.Times times, Protocols protocols, List<Route> routes) {
        this.database = Databases.sqlite(folder.resolve("sheaf.db"), InstantSource.system());
        this.memory = new MemoryBudget(memory);
        this.keys = new Keys(database, MasterSecret.generate());
        var surface = new RouteSurface("/", true, ProblemJson::render, routes);
        var site = new ServerSite("https://bundles.example.org", List.of());
        this.server = new HttpServer(
                new HttpServer.Address("127.0.0.1", 0, protocols.http2()),
                new ConnectionLimit(CONNECTIONS, CONNECTIONS_EACH, List.of()),
                times,
                protocols.certificates().orElse(null),
                new Dispatcher(
                        List.of(surface),
                        new CallerCheck(
                                keys.authenticator,
                                NOBODYS,
                                new RefusedCalls(database),
                                call -> Optional.empty(),
                                ReadOnly.NEVER),
                        site,
                        open(),
                        this.memory,
                        new StoredAnswers(database, 1_000)));
    }

    private static EdgePolicy open() {
        return new EdgePolicy(
                ClientAddress.NONE,
                RateCheck.OFF,
                BodyLimits.USUAL,
                CorsOrigins.OFF,
                new RequestComputing(new CpuPool(2)),
                new Metrics("test", false).requests(),
                (call, status, nanos) -> {},
                null);
    }

    public static TinyServer get(Path folder, String pattern, Route.Handler handler) {
        return new TinyServer(
                folder, 1 << 20, List.of(new Route(RouteMethod.GET, pattern, RoutePermission.NONE, handler)));
    }

    public HttpResponse<String> get(String pathAndQuery) throws IOException, InterruptedException {
        return send(request(pathAndQuery).GET());
    }

    public HttpRequest.Builder request(String pathAndQuery) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + pathAndQuery));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    public int port() {
        return server.port();
    }

    /// How many are open, as the server knows it.
    int connections() {
        return server.connections();
    }

    /// What comes back for these very bytes, as far as `end`.
    public String raw(String request, String end) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            var reply = new StringBuilder();
            for (int c = socket.getInputStream().read(); c >= 0 && reply.indexOf(end) < 0; ) {
                reply.append((char) c);
                c = reply.indexOf(end) < 0 ? socket.getInputStream().read() : c;
            }
            return reply.toString();
        }
    }

    /// Ends as a node does.
    int stop(Duration limit) {
        return server.stop(limit);
    }

    @Override
    public void close() {
        server.close();
        database.close();
    }
}
