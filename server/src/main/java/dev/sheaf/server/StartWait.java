package dev.sheaf.server;

import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts a node, and waits for a database or bucket that does not answer yet.
final class StartWait {
    private static final Logger LOG = LoggerFactory.getLogger(StartWait.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private StartWait() {}

    /// Tries until it succeeds, at most for `start-wait-seconds`.
    ///
    /// @throws StartException the last one, or one that will not pass by itself
    static App start(Config config, Function<Config, App> start) {
        var limit = Duration.ofSeconds(config.number(Setting.START_WAIT_SECONDS));
        long begin = System.nanoTime();
        while (true) {
            try {
                return start.apply(config);
            } catch (StartException e) {
                var left = limit.minusNanos(System.nanoTime() - begin);
                if (!e.isPassing() || !left.isPositive()) {
                    throw e;
                }
                LOG.warn("waiting to start, for {} seconds more at most: {}", left.toSeconds(), e.getMessage());
                ServiceManager.waiting(e.getMessage());
                sleep(left.compareTo(PAUSE) < 0 ? left : PAUSE, e);
            }
        }
    }

    private static void sleep(Duration time, StartException why) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw why;
        }
    }
}
