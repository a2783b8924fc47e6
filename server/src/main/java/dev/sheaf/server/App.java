package dev.sheaf.server;

import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.model.Handle;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.maintenance.backup.Restore;
import dev.sheaf.server.module.FeatureModule;
import dev.sheaf.server.module.FeatureModules;
import dev.sheaf.server.module.HttpModule;
import dev.sheaf.server.module.NodePort;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.registry.referrer.Signatures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running node: its features and the port that serves them.
public final class App implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(App.class);

    private final NodeBase node;
    private final FeatureModules modules;
    private final HttpModule http;
    private final @Nullable Secret firstKey;
    private final NodeTimer timer = new NodeTimer();

    private App(NodeBase node, NodePort port) {
        this.node = node;
        if (Restore.isUnfinished(node.database())) {
            throw new StartException(
                    ServerExit.RESTORE_UNFINISHED,
                    "a restore into this installation did not finish; run it again, or start with an empty database");
        }
        this.modules = new FeatureModules(node);
        modules.org().checkMaster();
        HttpModule.check(node.config(), port);
        this.firstKey = modules.org()
                .bootstrap()
                .run(Handle.parse(organization()), node.dataDir()::keepBootstrapKey)
                .orElse(null);
        Signatures.noteMissing(node.database());
        this.http = new HttpModule(node, modules, port);
        http.begin(timer);
        modules.begin(timer);
    }

    /// Starts a node. It answers requests when this method returns.
    ///
    /// @throws StartException if it cannot start; the message says what to do
    public static App start(Config config) {
        return start(config, InstantSource.system());
    }

    public static App start(Config config, InstantSource clock) {
        return start(config, clock, new NodePort(config));
    }

    /// @param port may be open already
    static App start(Config config, InstantSource clock, NodePort port) {
        NodeBase node = null;
        try {
            if (isNew(config.dataDir())) {
                // fails before anything is created; Node.open first reports a directory that is in use
                HttpModule.check(config, port);
            }
            node = NodeBase.open(config, clock);
            return new App(node, port);
        } catch (RuntimeException e) {
            boolean isDamaged = node != null && node.database().damage().fault().isPresent();
            if (node != null) {
                node.close();
            }
            if (e instanceof ProblemException problem) {
                throw new StartException(
                        ProblemException.isUnavailable(problem) ? ServerExit.DATABASE_UNREACHABLE : ServerExit.USAGE,
                        problem.problem().detail(),
                        ProblemException.isUnavailable(problem) && !isDamaged);
            }
            throw e;
        }
    }

    /// Returns whether the data directory is missing or empty.
    private static boolean isNew(Path folder) {
        if (!Files.exists(folder)) {
            return true;
        }
        try (var inside = Files.list(folder)) {
            return inside.findAny().isEmpty();
        } catch (IOException | UncheckedIOException e) {
            return false; // opening the directory reports the reason
        }
    }

    public int port() {
        return http.port();
    }

    /// Returns the base URL of the node: the configured one, or else the address that it listens on.
    public String url() {
        return node.config()
                .find(Setting.PUBLIC_URL)
                .orElseGet(() -> (http.isTls() ? "https://" : "http://") + listens());
    }

    /// Returns the host and port that this process listens on.
    String listens() {
        return ServerSite.host(node.config().text(Setting.HOST)) + ":" + port();
    }

    public NodeBase node() {
        return node;
    }

    public FeatureModules modules() {
        return modules;
    }

    public HttpModule http() {
        return http;
    }

    String engine() {
        return switch (node.database().dialect()) {
            case SQLITE -> "SQLite";
            case POSTGRES -> "PostgreSQL";
        };
    }

    String organization() {
        return node.config().text(Setting.BOOTSTRAP_ORG);
    }

    Path bootstrapKey() {
        return node.dataDir().bootstrapKey();
    }

    /// Returns the admin key that this start created; empty if it was not the first start.
    public Optional<Secret> firstKey() {
        return Optional.ofNullable(firstKey);
    }

    /// Keeps serving for `drain`, as a node that is not ready; finishes running requests within `limit`, then closes
    /// everything.
    ///
    /// @return the number of requests that were cut off
    public int stop(Duration drain, Duration limit) {
        http.leave();
        sleep(drain);
        modules.leave();
        int cut = http.stop(limit);
        modules.stop();
        node.closePools();
        timer.stop();
        modules.last().forEach(App::finish);
        node.close();
        return cut;
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void finish(FeatureModule.Last last) {
        try {
            last.work().run();
        } catch (RuntimeException e) {
            if (ProblemException.isUnavailable(e)) {
                LOG.warn("{}, because this node stops during an outage: {}", last.otherwise(), e.getMessage());
            } else if (e instanceof ProblemException) {
                LOG.warn("{}: {}", last.otherwise(), e.getMessage());
            } else {
                LOG.error("{}, because of a defect", last.otherwise(), e);
            }
        }
    }

    @Override
    public void close() {
        stop(Duration.ZERO, Duration.ZERO);
    }
}
