package dev.sheaf.server.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Schedules retries of a failed delivery: nine over three days, with growing pauses.
final class RetrySchedule {
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
    private static final double JITTER = 0.2; // share of the pause, in both directions

    private RetrySchedule() {}

    /// @param tried attempts so far, at least one
    /// @return empty if there are no more attempts
    static Optional<Duration> after(int tried) {
        return tried > PAUSES.size() ? Optional.empty() : Optional.of(spread(PAUSES.get(tried - 1)));
    }

    private static Duration spread(Duration pause) {
        double factor = 1 + ThreadLocalRandom.current().nextDouble(-JITTER, JITTER);
        return Duration.ofMillis(Math.round(pause.toMillis() * factor));
    }
}
