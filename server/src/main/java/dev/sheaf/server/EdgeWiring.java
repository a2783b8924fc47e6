package dev.sheaf.server;

import dev.sheaf.server.auth.Cidr;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Dialect;
import dev.sheaf.server.http.Certificates;
import dev.sheaf.server.http.Computing;
import dev.sheaf.server.http.Cors;
import dev.sheaf.server.http.Dispatcher;
import dev.sheaf.server.http.Edge;
import dev.sheaf.server.http.Forwarding;
import dev.sheaf.server.http.HttpServer;
import dev.sheaf.server.http.MemoryBudget;
import dev.sheaf.server.http.Meter;
import dev.sheaf.server.http.Room;
import dev.sheaf.server.http.Site;
import dev.sheaf.server.http.Surface;
import dev.sheaf.server.idempotency.Idempotency;
import dev.sheaf.server.rate.Rates;
import dev.sheaf.server.rate.Sharing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What [Wiring] makes of the settings of the network edge.
final class EdgeWiring {
    private static final long BYTES_OF_CONNECTION = 128 << 10; // with TLS, and what a request takes
    private static final long MOST_CONNECTIONS = 4_096;

    private EdgeWiring() {}

    static Dispatcher dispatcher(
            Config config,
            List<Surface> surfaces,
            AccessWiring access,
            Idempotency idempotency,
            Rates rates,
            CpuPool cpu) {
        var edge = new Edge(
                forwarding(config), new Meter(rates), LimitsWiring.sizes(config), cors(config), new Computing(cpu));
        return new Dispatcher(
                surfaces,
                new Dispatcher.Doors(access.authenticator(), access.owners(), access.refusals()),
                site(config),
                edge,
                budget(config),
                idempotency);
    }

    /// Most connections: as set, or as many as the heap has room for.
    static Room room(Config config) {
        long set = config.number(Setting.MAX_CONNECTIONS);
        long heap = Runtime.getRuntime().maxMemory() / BYTES_OF_CONNECTION;
        int most = (int) (set > 0 ? set : Math.min(heap, MOST_CONNECTIONS));
        long share = config.number(Setting.MAX_CONNECTIONS_PER_ADDRESS);
        return new Room(most, (int) (share > 0 ? share : Math.max(1, most / 4)), proxies(config));
    }

    static HttpServer.Times times(Config config) {
        return new HttpServer.Times(
                config.duration(Setting.API_TIMEOUT),
                config.duration(Setting.TRANSFER_TIMEOUT),
                new HttpServer.Pace(config.number(Setting.MIN_BODY_RATE), HttpServer.Pace.USUAL.grace()));
    }

    private static Site site(Config config) {
        var hosts = new ArrayList<>(Config.list(config.text(Setting.ALLOWED_HOSTS).toLowerCase(Locale.ROOT)));
        hosts.add(Site.host(config.text(Setting.HOST).toLowerCase(Locale.ROOT)));
        return new Site(config.find(Setting.PUBLIC_URL), hosts);
    }

    private static MemoryBudget budget(Config config) {
        long configured = config.number(Setting.MEMORY_BUDGET_BYTES);
        return new MemoryBudget(
                configured > 0 ? configured : Runtime.getRuntime().maxMemory() / 3);
    }

    static Rates rates(Config config, Database database) {
        var quotas = new Rates.Quotas(
                config.number(Setting.RATE_ANONYMOUS_READS),
                config.number(Setting.RATE_READS),
                config.number(Setting.RATE_WRITES),
                config.number(Setting.RATE_FAILED_AUTHENTICATIONS));
        return new Rates(quotas, database.dialect() == Dialect.POSTGRES);
    }

    /// What nodes tell each other every second; nothing where there is but one.
    static Runnable sharing(Database database, Rates rates) {
        return database.dialect() == Dialect.POSTGRES ? new Sharing(database, rates)::exchange : () -> {};
    }

    private static Forwarding forwarding(Config config) {
        return new Forwarding(
                proxies(config), config.text(Setting.FORWARDED_HEADER).equals("forwarded"));
    }

    private static List<Cidr> proxies(Config config) {
        return Config.list(config.text(Setting.TRUSTED_PROXIES)).stream()
                .map(Cidr::parse)
                .toList();
    }

    private static Cors cors(Config config) {
        return new Cors(Config.list(config.text(Setting.CORS_ORIGINS)));
    }

    /// The certificate for TLS, where there is one.
    static Optional<Certificates> certificates(Config config) {
        return config.find(Setting.TLS_CERTIFICATE)
                .map(chain -> new Certificates(Path.of(chain), Path.of(config.text(Setting.TLS_KEY))));
    }

}
