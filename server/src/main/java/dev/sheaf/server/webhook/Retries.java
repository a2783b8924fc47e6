package dev.sheaf.server.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// When a delivery that failed is tried again: nine times over three days, the pauses ever longer.
final class Retries {
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));
    private static final double JITTER = 0.2; // of the pause, to both sides

    private Retries() {}

    /// @param tried how often it was, at least once
    /// @return empty where it was often enough
    static Optional<Duration> after(int tried) {
        return tried > PAUSES.size() ? Optional.empty() : Optional.of(spread(PAUSES.get(tried - 1)));
    }

    private static Duration spread(Duration pause) {
        double factor = 1 + ThreadLocalRandom.current().nextDouble(-JITTER, JITTER);
        return Duration.ofMillis(Math.round(pause.toMillis() * factor));
    }
}
