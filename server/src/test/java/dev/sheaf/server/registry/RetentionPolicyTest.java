package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetentionPolicyTest {
    private static final Instant START = Instant.parse("2026-03-01T10:20:30.456Z");
    private static final int LEASES = 7;

    /// An index stores equal times once.
    @ParameterizedTest
    @ValueSource(strings = {"PT0.05S", "PT2M", "PT24H"})
    void timesAreRoundedUpToStepsOfALease(Duration lease) {
        var policy = new RetentionPolicy(lease, Duration.ZERO, null);
        var step = lease.dividedBy(100); // a little longer than one is

        var looks = IntStream.range(0, 1_000)
                .mapToObj(i -> START.plusMillis(lease.toMillis() * i / 1_000))
                .map(now -> {
                    var look = policy.nextLook(now);
                    var exact = now.plus(lease.multipliedBy(LEASES));
                    assertThat(look).isBetween(exact, exact.plus(step));
                    return look;
                })
                .distinct();

        assertThat(looks).hasSizeBetween(Math.min(50, (int) lease.toMillis()), 130);
    }
}
