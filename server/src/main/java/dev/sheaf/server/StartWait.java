package dev.sheaf.server;

import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.module.NodePort;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts a node, and waits for a database or bucket that does not answer yet. From the first failed attempt on the
/// port is open and says what the start waits for; the log says so at once, and then every 30 seconds.
final class StartWait {
    private static final Logger LOG = LoggerFactory.getLogger(StartWait.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration SAID_EVERY = Duration.ofSeconds(30);

    private final Duration longest;
    private final long begin = System.nanoTime();
    private @Nullable Duration said; // after how long the log said last what it waits for

    private StartWait(Duration longest) {
        this.longest = longest;
    }

    /// Tries until it succeeds, at most for `start-wait-seconds`.
    ///
    /// @throws StartException the last one, or one that will not pass by itself
    static App start(Config config, Function<NodePort, App> attempt) {
        var wait = new StartWait(Duration.ofSeconds(config.number(Setting.START_WAIT_SECONDS)));
        var port = new NodePort(config);
        App app = null;
        try {
            while (app == null) {
                try {
                    app = attempt.apply(port);
                } catch (StartException e) {
                    if (!e.isPassing()) {
                        throw e;
                    }
                    String what = e.exit() == ServerExit.STORAGE_UNREACHABLE ? "the bucket" : "the database";
                    if (wait.isOver()) {
                        throw wait.ended(e, what);
                    }
                    port.waitFor(what);
                    wait.pause(e);
                }
            }
            return app;
        } finally {
            if (app == null) {
                port.close();
            }
        }
    }

    private Duration waited() {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private boolean isOver() {
        return waited().compareTo(longest) >= 0;
    }

    private StartException ended(StartException why, String what) {
        String setting = Setting.START_WAIT_SECONDS.key();
        return new StartException(
                why.exit(),
                why.getMessage() + (said == null ? "" : "; this start has waited " + waited().toSeconds() + " seconds")
                        + ". Make " + what + " reachable and start this node again, or let it wait longer with "
                        + setting + ", which is " + longest.toSeconds(),
                true);
    }

    private void pause(StartException why) {
        var waited = waited();
        var left = longest.minus(waited);
        if (said == null || waited.minus(said).compareTo(SAID_EVERY) >= 0) {
            said = waited;
            LOG.warn("waiting to start, for {} seconds more at most: {}", left.toSeconds(), why.getMessage());
        }
        ServiceManager.waiting(why.getMessage());
        try {
            Thread.sleep(left.compareTo(PAUSE) < 0 ? left : PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw why;
        }
    }
}
