package dev.sheaf.server.module;

import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Exit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Dialect;
import dev.sheaf.server.http.entity.Computing;
import dev.sheaf.server.http.message.Cors;
import dev.sheaf.server.http.message.EdgePolicy;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.policy.Forwarding;
import dev.sheaf.server.http.policy.RateCheck;
import dev.sheaf.server.http.routing.Callers;
import dev.sheaf.server.http.routing.Dispatcher;
import dev.sheaf.server.http.routing.InnerApi;
import dev.sheaf.server.http.server.Certificates;
import dev.sheaf.server.http.server.ConnectionLimit;
import dev.sheaf.server.http.server.HttpServer;
import dev.sheaf.server.http.server.MemoryBudget;
import dev.sheaf.server.http.server.Site;
import dev.sheaf.server.idempotency.Idempotency;
import dev.sheaf.server.metrics.Metrics;
import dev.sheaf.server.net.Cidr;
import dev.sheaf.server.node.Node;
import dev.sheaf.server.node.Timer;
import dev.sheaf.server.ops.MetricsApi;
import dev.sheaf.server.ops.OpsApi;
import dev.sheaf.server.ops.Readiness;
import dev.sheaf.server.rate.Rates;
import dev.sheaf.server.rate.Sharing;
import dev.sheaf.server.v1.admin.LimitsApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The network edge: the listener, what stands between it and the routes, and the routes of no feature.
public final class HttpModule {
    private static final Duration CERTIFICATES_READ = Duration.ofSeconds(10);
    private static final long BYTES_OF_CONNECTION = 128 << 10; // with TLS, and what a request takes
    private static final long MOST_CONNECTIONS = 4_096;

    private final Config config;
    private final Database database;
    private final Rates rates;
    private final Idempotency idempotency;
    private final Optional<Certificates> certificates;
    private final List<Surface> surfaces;
    private final MemoryBudget memory;
    private final HttpServer server;

    /// Listens from now on.
    ///
    /// @throws StartException where the port or the certificate cannot be had
    public HttpModule(Node node, Modules features) {
        this.config = node.config();
        this.database = node.database();
        this.rates = rates();
        this.idempotency = new Idempotency(database, (int) config.number(Setting.MAX_REMEMBERED_REQUESTS));
        var api = Stream.of(
                        features.routes(),
                        limits().routes(),
                        ops(node).routes(),
                        metrics(node, features).routes())
                .flatMap(List::stream)
                .toList();
        var identity = features.identity();
        var cookie = identity.cookie();
        var programs = Stream.concat(
                        Stream.of(new Surface("/", false, ProblemJson::render, api)), features.surfaces().stream())
                .toList();
        var callers = callers(features, cookie);
        var console = new ConsoleModule(node, features, new InnerApi(api, callers));
        this.surfaces =
                Stream.concat(programs.stream(), Stream.of(console.surface())).toList();
        this.certificates = certificates(config);
        this.memory = new MemoryBudget(memory());
        this.server = listen(dispatcher(node, callers));
        measure(node.metrics());
    }

    /// Looks whether the port and the certificate can be had. A start that they end has then made nothing yet.
    ///
    /// @throws StartException where they cannot
    public static void check(Config config) {
        certificates(config);
        var address = new InetSocketAddress(config.text(Setting.HOST), (int) config.number(Setting.PORT));
        try (var socket = new ServerSocket()) {
            socket.bind(address);
        } catch (IOException e) {
            throw portTaken(config);
        }
    }

    private void measure(Metrics metrics) {
        metrics.gauge("sheaf_http_connections", "Connections that are open.", server::connections);
        metrics.gauge("sheaf_http_requests_running", "Requests that are being carried out.", server::running);
        metrics.gauge("sheaf_memory_budget_used_bytes", "What requests hold of the memory budget.", memory::used);
    }

    private static OpsApi ops(Node node) {
        return new OpsApi(new Readiness(
                node.database()::isListening, () -> node.database().read(tx -> true), node.store()::probe));
    }

    private MetricsApi metrics(Node node, Modules features) {
        return new MetricsApi(
                node.metrics(), blocks(Setting.METRICS_READERS), features.org().pathOrganization());
    }

    private LimitsApi limits() {
        return new LimitsApi(
                BundleModule.limits(config),
                BundleModule.bodies(config),
                new LimitsApi.Others(
                        RegistryModule.limits(config),
                        config.number(Setting.MAX_LIVE_KEYS),
                        config.duration(Setting.API_TIMEOUT),
                        config.duration(Setting.TRANSFER_TIMEOUT)),
                rates);
    }

    private Rates rates() {
        var quotas = new Rates.Quotas(
                config.number(Setting.RATE_ANONYMOUS_READS),
                config.number(Setting.RATE_READS),
                config.number(Setting.RATE_WRITES),
                config.number(Setting.RATE_FAILED_AUTHENTICATIONS));
        return new Rates(quotas, database.dialect() == Dialect.POSTGRES);
    }

    private static Callers callers(Modules features, SessionCookie cookie) {
        return new Callers(
                features.credentials().authenticator(),
                features.org().pathOrganization(),
                features.audit().refusals(),
                cookie);
    }

    private Dispatcher dispatcher(Node node, Callers callers) {
        var forwarding = new Forwarding(
                blocks(Setting.TRUSTED_PROXIES),
                config.text(Setting.FORWARDED_HEADER).equals("forwarded"));
        var edge = new EdgePolicy(
                forwarding,
                new RateCheck(rates),
                BundleModule.bodies(config),
                new Cors(Config.list(config.text(Setting.CORS_ORIGINS))),
                new Computing(node.cpu()),
                node.metrics().requests());
        return new Dispatcher(surfaces, callers, site(), edge, memory, idempotency);
    }

    private HttpServer listen(Dispatcher dispatcher) {
        var address = new HttpServer.Address(
                config.text(Setting.HOST), (int) config.number(Setting.PORT), config.isOn(Setting.HTTP2));
        try {
            return new HttpServer(address, connections(), times(), certificates.orElse(null), dispatcher);
        } catch (UncheckedIOException e) {
            throw portTaken(config);
        }
    }

    private static StartException portTaken(Config config) {
        return new StartException(
                Exit.PORT_TAKEN,
                "cannot listen on " + config.text(Setting.HOST) + ":" + config.text(Setting.PORT)
                        + ": the port is taken or the address is not this machine's; stop what uses the port, or choose"
                        + " others with --port and --host");
    }

    /// Most connections: as set, or as many as the heap has room for.
    private ConnectionLimit connections() {
        int most = connections(config);
        long share = config.number(Setting.MAX_CONNECTIONS_PER_ADDRESS);
        return new ConnectionLimit(
                most, (int) (share > 0 ? share : Math.max(1, most / 4)), blocks(Setting.TRUSTED_PROXIES));
    }

    private static int connections(Config config) {
        long set = config.number(Setting.MAX_CONNECTIONS);
        long heap = Runtime.getRuntime().maxMemory() / BYTES_OF_CONNECTION;
        return (int) (set > 0 ? set : Math.min(heap, MOST_CONNECTIONS));
    }

    /// How many may wait for events, so that connections are left for other requests.
    static int followers(Config config) {
        long set = config.number(Setting.MAX_FOLLOWERS);
        return (int) (set > 0 ? set : Math.max(1, connections(config) * 3L / 4));
    }

    private HttpServer.Times times() {
        return new HttpServer.Times(
                config.duration(Setting.API_TIMEOUT),
                config.duration(Setting.TRANSFER_TIMEOUT),
                new HttpServer.Pace(config.number(Setting.MIN_BODY_RATE), HttpServer.Pace.USUAL.grace()));
    }

    private Site site() {
        var hosts =
                new ArrayList<>(Config.list(config.text(Setting.ALLOWED_HOSTS).toLowerCase(Locale.ROOT)));
        hosts.add(Site.host(config.text(Setting.HOST).toLowerCase(Locale.ROOT)));
        return new Site(config.find(Setting.PUBLIC_URL).orElse(null), hosts);
    }

    private long memory() {
        long configured = config.number(Setting.MEMORY_BUDGET_BYTES);
        return configured > 0 ? configured : Runtime.getRuntime().maxMemory() / 3;
    }

    private List<Cidr> blocks(Setting setting) {
        return Config.list(config.text(setting)).stream().map(Cidr::parse).toList();
    }

    private static Optional<Certificates> certificates(Config config) {
        try {
            return config.find(Setting.TLS_CERTIFICATE)
                    .map(chain -> new Certificates(Path.of(chain), Path.of(config.text(Setting.TLS_KEY))));
        } catch (IllegalArgumentException e) {
            throw new StartException(Exit.USAGE, String.valueOf(e.getMessage()));
        }
    }

    public void begin(Timer timer) {
        certificates.ifPresent(known -> timer.every(CERTIFICATES_READ, known::reload));
        timer.every(Duration.ofMinutes(10), idempotency::purge);
        if (database.dialect() == Dialect.POSTGRES) {
            timer.every(Duration.ofSeconds(1), new Sharing(database, rates)::exchange);
        }
    }

    /// The route table of all that is for programs.
    public List<Route> routes() {
        return routes(false);
    }

    /// That of the pages.
    public List<Route> pages() {
        return routes(true);
    }

    private List<Route> routes(boolean forBrowsers) {
        return surfaces.stream()
                .filter(surface -> surface.forBrowsers() == forBrowsers)
                .flatMap(surface -> surface.routes().stream())
                .toList();
    }

    public int port() {
        return server.port();
    }

    public boolean isTls() {
        return certificates.isPresent();
    }

    /// Finishes running requests, at most `limit`, and refuses new ones.
    ///
    /// @return how many requests were cut off
    public int stop(Duration limit) {
        return server.stop(limit);
    }
}
