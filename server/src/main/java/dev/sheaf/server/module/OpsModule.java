package dev.sheaf.server.module;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.engine.net.Cidr;
import dev.sheaf.engine.trace.Tracing;
import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.routing.AccessLog;
import dev.sheaf.server.maintenance.ReadOnlyMode;
import dev.sheaf.server.maintenance.api.OperationsApi;
import dev.sheaf.server.maintenance.operations.Operations;
import dev.sheaf.server.node.LogSetup;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.node.SettingsReload;
import dev.sheaf.server.ops.Health;
import dev.sheaf.server.ops.MetricsApi;
import dev.sheaf.server.ops.OperatorAddresses;
import dev.sheaf.server.ops.OpsApi;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Health and metrics, for operators and their monitoring.
final class OpsModule {
    private static final Logger LOG = LoggerFactory.getLogger(OpsModule.class);
    private static final Duration CERTIFICATE_ENDS_SOON = Duration.ofDays(14);
    private static final Duration RELOADED = Duration.ofMillis(2_500); // two checks within five seconds
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private final NodeBase node;
    private final Optional<ServerCertificates> certificates;
    private final Health health;
    private final OperatorAddresses operators;
    private final MetricsApi metrics;
    private final ReadOnlyMode mode;
    private final AccessLog access;
    private final Consumer<Config> reloaded;
    private final Operations operations;

    /// @param reloaded receives changed settings that other modules must apply
    /// @param nodes returns how many nodes run
    OpsModule(
            NodeBase node,
            FeatureModules features,
            @Nullable ServerCertificates certificates,
            Consumer<Config> reloaded,
            LongSupplier nodes) {
        this.node = node;
        this.certificates = Optional.ofNullable(certificates);
        this.mode = features.maintenance().mode();
        this.health = new Health(checks(), mode::lastSeen, node.clock());
        this.operators = new OperatorAddresses(blocks(node.config(), Setting.METRICS_READERS));
        this.metrics = new MetricsApi(node.metrics(), operators, features.org().pathOrganization());
        this.access = new AccessLog((int) node.config().number(Setting.ACCESS_LOG));
        this.reloaded = reloaded;
        this.operations = new Operations(
                OperationSources.of(node, features, health, nodes),
                features.maintenance().all(),
                node.clock());
        measure();
    }

    void begin(NodeTimer timer) {
        var disk = OperationSources.disk(node);
        if (disk.free() < disk.reserved()) {
            LOG.warn(
                    "the disk of {} has {} free, less than min-free-bytes ({}): content is refused with 507 until there is room",
                    node.dataDir().root(),
                    PageFormat.size(disk.free()),
                    PageFormat.size(disk.reserved()));
        }
        timer.every("measuring this node", Operations.EVERY, operations::sample);
        node.config()
                .source()
                .map(file -> new SettingsReload(file, node.config(), this::apply))
                .ifPresent(reload -> timer.every("reading the settings again", RELOADED, reload::check));
    }

    /// Applies the settings in [SettingsReload#LIVE].
    private void apply(Config config) {
        LogSetup.level(config.text(Setting.LOG_LEVEL));
        access.every((int) config.number(Setting.ACCESS_LOG));
        mode.bySetting(config.isOn(Setting.READ_ONLY));
        if (node.tracing() instanceof Tracing tracing) {
            tracing.ratio(config.share(Setting.TRACE_RATIO));
        }
        reloaded.accept(config);
    }

    Health health() {
        return health;
    }

    Operations operations() {
        return operations;
    }

    AccessLog access() {
        return access;
    }

    static List<Cidr> blocks(Config config, Setting setting) {
        return Config.list(config.text(setting)).stream().map(Cidr::parse).toList();
    }

    /// Returns the checks. A bucket is shared by all nodes, so its failure does not make a node unready. A full
    /// disk does, if other nodes can accept the writes.
    private List<Health.Check> checks() {
        var database = node.database();
        var store = node.store();
        boolean bucket = node.config().find(Setting.S3_BUCKET).isPresent();
        boolean alone = database.dialect() == SqlDialect.SQLITE;
        var second = Duration.ofSeconds(1);
        var seconds = Duration.ofSeconds(5);
        var took = new AtomicLong();
        var checks = new ArrayList<>(List.of(
                new Health.Check("database", () -> !isDamaged(database), second, () -> {
                            long since = System.nanoTime();
                            database.read(tx -> true);
                            took.set(System.nanoTime() - since);
                            return database.damage().fault().map(fault -> "damaged: " + fault);
                        })
                        .about(() -> aboutDatabase(database, took.get())),
                new Health.Check("changes", true, Duration.ZERO, () -> changes(database)),
                new Health.Check("store", !bucket, seconds, () -> {
                            store.probe();
                            return Optional.empty();
                        })
                        .about(this::aboutStore),
                new Health.Check("disk", !alone, seconds, () -> {
                            store.admit(0);
                            return Optional.empty();
                        })
                        .about(this::aboutDisk),
                new Health.Check("clock", false, Duration.ZERO, () -> clock(database))));
        certificates.ifPresent(
                known -> checks.add(new Health.Check("certificate", false, Duration.ZERO, () -> certificate(known))
                        .about(() -> "ends at " + known.end())));
        return List.copyOf(checks);
    }

    private String aboutDatabase(Database database, long nanos) {
        long milliseconds = TimeUnit.NANOSECONDS.toMillis(nanos);
        String took = "; a read takes " + (milliseconds == 0 ? "less than 1" : milliseconds) + " ms";
        return switch (database.dialect()) {
                    case SQLITE -> "SQLite in the data directory";
                    case POSTGRES ->
                        "PostgreSQL; " + database.busy() + " of "
                                + node.config().text(Setting.DATABASE_CONNECTIONS) + " connections are in use";
                }
                + took;
    }

    private String aboutStore() {
        return node.config()
                .find(Setting.S3_BUCKET)
                .map(bucket -> "the bucket " + bucket)
                .orElse("files in the data directory");
    }

    private String aboutDisk() {
        var disk = OperationSources.disk(node);
        return PageFormat.size(disk.free()) + " of " + PageFormat.size(disk.total()) + " are free; with less than "
                + PageFormat.size(disk.reserved()) + " it refuses content (min-free-bytes)";
    }

    /// Returns whether the database is damaged. All nodes share it, and each still serves what it can read.
    private static boolean isDamaged(Database database) {
        return database.damage().fault().isPresent();
    }

    private static Optional<String> changes(Database database) {
        return database.isBehind()
                ? Optional.of("the node has not read the changes of other nodes for ten seconds, so it uses no cache")
                : Optional.empty();
    }

    private Optional<String> clock(Database database) {
        var difference = Duration.between(database.now(), node.clock().instant());
        return difference.abs().compareTo(MAX_CLOCK_DIFFERENCE) <= 0
                ? Optional.empty()
                : Optional.of("the clock of this machine differs from that of the database by " + difference.toSeconds()
                        + " seconds");
    }

    private static Optional<String> certificate(ServerCertificates certificates) {
        var end = certificates.end();
        return end.isAfter(Instant.now().plus(CERTIFICATE_ENDS_SOON))
                ? Optional.empty()
                : Optional.of("the TLS certificate ends at " + end);
    }

    private void measure() {
        var folder = node.dataDir().root();
        node.metrics()
                .gauge(
                        "sheaf_disk_free_bytes",
                        "Free space on the disk of the data directory.",
                        () -> folder.toFile().getUsableSpace());
        node.metrics()
                .gauges(
                        "sheaf_part_up",
                        "1 if the part of this node works, 0 if not.",
                        "part",
                        () -> health.report().parts().stream()
                                .collect(Collectors.toMap(
                                        NodeHealth.Part::name, part -> part.detail() == null ? 1.0 : 0.0)));
        node.metrics()
                .gauge(
                        "sheaf_disk_reserved_bytes",
                        "Free space below which the node refuses writes.",
                        () -> node.config().number(Setting.MIN_FREE_BYTES));
        node.metrics()
                .gauge(
                        "sheaf_database_damaged",
                        "1 since this node met a damaged page of the database, until fsck finds none, else 0.",
                        () -> isDamaged(node.database()) ? 1 : 0);
        breakers();
        certificates.ifPresent(known -> node.metrics()
                .gauge(
                        "sheaf_certificate_end_seconds",
                        "When the TLS certificate ends, in seconds since 1970.",
                        () -> known.end().getEpochSecond()));
    }

    /// A disk and the embedded database have no breaker, because they fail at once.
    private void breakers() {
        var open = new HashMap<String, DoubleSupplier>();
        if (node.database().dialect() == SqlDialect.POSTGRES) {
            open.put("database", () -> node.database().isRefusing() ? 1 : 0);
        }
        if (node.config().find(Setting.S3_BUCKET).isPresent()) {
            open.put("store", () -> node.store().isRefusing() ? 1 : 0);
        }
        node.metrics()
                .gauge(
                        "sheaf_breaker_open",
                        "1 while calls to a part that does not answer are refused at once, else 0.",
                        "part",
                        Map.copyOf(open));
    }

    /// @param styleSheet the path of the style sheet for the pages about problems
    List<Route> routes(String styleSheet) {
        return Stream.of(
                        new OpsApi(health, operators, styleSheet).routes(),
                        metrics.routes(),
                        new OperationsApi(operations).routes())
                .flatMap(List::stream)
                .toList();
    }

    void leave() {
        health.leave();
    }
}
