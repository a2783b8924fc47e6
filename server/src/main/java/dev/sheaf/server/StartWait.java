package dev.sheaf.server;

import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Exit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.module.NodePort;
import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts a node, and waits for a database or bucket that does not answer yet. From the first failed attempt on the
/// port is open and says what the start waits for.
final class StartWait {
    private static final Logger LOG = LoggerFactory.getLogger(StartWait.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private StartWait() {}

    /// Tries until it succeeds, at most for `start-wait-seconds`.
    ///
    /// @throws StartException the last one, or one that will not pass by itself
    static App start(Config config, Function<NodePort, App> attempt) {
        long end = System.nanoTime()
                + Duration.ofSeconds(config.number(Setting.START_WAIT_SECONDS)).toNanos();
        var port = new NodePort(config);
        App app = null;
        try {
            while (app == null) {
                try {
                    app = attempt.apply(port);
                } catch (StartException e) {
                    var left = Duration.ofNanos(end - System.nanoTime());
                    if (!e.isPassing() || !left.isPositive()) {
                        throw e;
                    }
                    port.waitFor(e.exit() == Exit.STORAGE_UNREACHABLE ? "the bucket" : "the database");
                    pause(e, left);
                }
            }
            return app;
        } finally {
            if (app == null) {
                port.close();
            }
        }
    }

    private static void pause(StartException why, Duration left) {
        LOG.warn("waiting to start, for {} seconds more at most: {}", left.toSeconds(), why.getMessage());
        ServiceManager.waiting(why.getMessage());
        try {
            Thread.sleep(left.compareTo(PAUSE) < 0 ? left : PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw why;
        }
    }
}
