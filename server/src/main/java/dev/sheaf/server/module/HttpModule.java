package dev.sheaf.server.module;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.heap.HeapPlan;
import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.MemoryBudget;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.engine.metrics.Metrics;
import dev.sheaf.engine.net.Cidr;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.http.entity.RequestComputing;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.CorsOrigins;
import dev.sheaf.server.http.message.EdgePolicy;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.ClientAddress;
import dev.sheaf.server.http.policy.RateCheck;
import dev.sheaf.server.http.routing.CallerCheck;
import dev.sheaf.server.http.routing.Dispatcher;
import dev.sheaf.server.http.routing.ViewerRights;
import dev.sheaf.server.idempotency.StoredAnswers;
import dev.sheaf.server.maintenance.api.LimitsApi;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.rate.NodeCount;
import dev.sheaf.server.rate.RateLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The listener, the checks before the routes, and the routes that belong to no feature.
public final class HttpModule {
    private static final Duration CERTIFICATES_READ = Duration.ofSeconds(10);

    private final Config config;
    private final Database database;
    private final RateLimits rates;
    private final StoredAnswers idempotency;
    private final Optional<ServerCertificates> certificates;
    private final List<RouteSurface> surfaces;
    private final MemoryBudget memory;
    private final OpsModule ops;
    private final HttpServer server;

    /// Serves the port.
    ///
    /// @throws StartException if the port is taken
    public HttpModule(NodeBase node, FeatureModules features, NodePort port) {
        this.config = node.config();
        this.database = node.database();
        this.rates = new RateLimits(quotas(config));
        this.certificates = port.certificates();
        this.memory = new MemoryBudget(memory());
        this.ops = new OpsModule(
                node, features, certificates.orElse(null), next -> rates.change(quotas(next)), rates::nodes);
        this.idempotency = new StoredAnswers(database, (int) config.number(Setting.MAX_REMEMBERED_REQUESTS));
        var identity = features.identity();
        var cookie = identity.cookie();
        var callers = callers(features, cookie);
        var console = new ConsoleModule(node, features, new ViewerRights(callers), ops);
        var api = Stream.of(features.routes(), limits().routes(), ops.routes(console.styleSheet()))
                .flatMap(List::stream)
                .toList();
        var programs = Stream.concat(
                        Stream.of(new RouteSurface("/", false, ProblemJson::render, api)), features.surfaces().stream())
                .toList();
        this.surfaces =
                Stream.concat(programs.stream(), Stream.of(console.surface())).toList();
        this.server = port.serve(dispatcher(node, callers));
        measure(node.metrics());
    }

    /// Checks the port and the memory budget, so that a start that fails because of them creates nothing.
    ///
    /// @throws StartException if the port is taken, or the budget is too large
    public static void check(Config config, NodePort port) {
        port.check();
        checkMemory(config);
    }

    private void measure(Metrics metrics) {
        metrics.gauge("sheaf_http_connections", "Connections that are open.", server::connections);
        metrics.gauge("sheaf_http_requests_running", "Requests that are being carried out.", server::running);
        metrics.counts("sheaf_rate_refusals_total", "Requests over a rate limit.", "policy", rates::refused);
        metrics.gauge("sheaf_memory_budget_used_bytes", "Bytes of the memory budget that requests use.", memory::used);
    }

    private LimitsApi limits() {
        return new LimitsApi(
                BundleModule.limits(config),
                BundleModule.bodies(config),
                new LimitsApi.Others(
                        RegistryModule.limits(config),
                        config.number(Setting.MAX_LIVE_KEYS),
                        Call.largestJson(memory),
                        config.duration(Setting.API_TIMEOUT),
                        config.duration(Setting.TRANSFER_TIMEOUT)),
                rates);
    }

    private static RateLimits.Quotas quotas(Config config) {
        return new RateLimits.Quotas(
                config.number(Setting.RATE_ANONYMOUS_READS),
                config.number(Setting.RATE_READS),
                config.number(Setting.RATE_WRITES),
                config.number(Setting.RATE_CONTENT),
                config.number(Setting.RATE_RUNNER),
                config.number(Setting.RATE_FAILED_AUTHENTICATIONS));
    }

    private static CallerCheck callers(FeatureModules features, SessionCookie cookie) {
        return new CallerCheck(
                features.credentials().authenticator(),
                features.org().pathOrganization(),
                features.audit().refusals(),
                cookie,
                features.maintenance().mode());
    }

    private Dispatcher dispatcher(NodeBase node, CallerCheck callers) {
        var forwarding = new ClientAddress(
                blocks(Setting.TRUSTED_PROXIES),
                config.text(Setting.FORWARDED_HEADER).equals("forwarded"));
        var edge = new EdgePolicy(
                forwarding,
                new RateCheck(rates),
                BundleModule.bodies(config),
                new CorsOrigins(Config.list(config.text(Setting.CORS_ORIGINS))),
                new RequestComputing(node.cpu()),
                node.metrics().requests(),
                ops.access(),
                node.tracing());
        return new Dispatcher(surfaces, callers, site(), edge, memory, idempotency);
    }

    /// Returns the limit of requests that wait for events. The other connections remain for other requests.
    static int followers(Config config) {
        long set = config.number(Setting.MAX_FOLLOWERS);
        return (int) (set > 0 ? set : Math.max(1, NodePort.connections(config) * 3L / 4));
    }

    private ServerSite site() {
        var hosts =
                new ArrayList<>(Config.list(config.text(Setting.ALLOWED_HOSTS).toLowerCase(Locale.ROOT)));
        hosts.add(ServerSite.host(config.text(Setting.HOST).toLowerCase(Locale.ROOT)));
        return new ServerSite(config.find(Setting.PUBLIC_URL).orElse(null), hosts);
    }

    private static void checkMemory(Config config) {
        long most = HeapPlan.OF_THIS_PROCESS.mostForRequests();
        if (config.number(Setting.MEMORY_BUDGET_BYTES) > most) {
            throw new StartException(
                    ServerExit.USAGE,
                    "memory-budget-bytes is " + config.number(Setting.MEMORY_BUDGET_BYTES)
                            + ", but of this heap at most "
                            + most
                            + " bytes may be set aside for requests; lower it or remove it, or give Java a larger"
                            + " heap: SHEAF_JAVA_OPTS=-Xmx…");
        }
    }

    private long memory() {
        long configured = config.number(Setting.MEMORY_BUDGET_BYTES);
        return configured > 0 ? configured : HeapPlan.OF_THIS_PROCESS.requests();
    }

    private List<Cidr> blocks(Setting setting) {
        return OpsModule.blocks(config, setting);
    }

    public void begin(NodeTimer timer) {
        certificates.ifPresent(known -> timer.every("reading the certificate", CERTIFICATES_READ, known::reload));
        ops.begin(timer);
        timer.every("deleting stored answers for repeated requests", Duration.ofMinutes(10), idempotency::purge);
        if (database.dialect() == SqlDialect.POSTGRES) {
            var count = new NodeCount(database, rates, ops.operations()::own);
            timer.every("counting the nodes", NodeCount.EVERY, count::run);
        }
    }

    /// Returns all routes for programs.
    public List<Route> routes() {
        return routes(false);
    }

    /// Returns the routes of the pages.
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

    /// Makes the node unready and asks clients to connect elsewhere. Requests are still served.
    public void leave() {
        ops.leave();
        server.leave();
    }

    /// Closes the port and finishes running requests within `limit`.
    ///
    /// @return the number of requests that were cut off
    public int stop(Duration limit) {
        return server.stop(limit);
    }
}
