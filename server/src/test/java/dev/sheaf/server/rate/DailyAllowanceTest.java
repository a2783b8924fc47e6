package dev.sheaf.server.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class DailyAllowanceTest {
    private static final UUID ONE = new UUID(0, 1);

    private final DailyAllowance allowance = new DailyAllowance(1_000);

    @Test
    void whatIsTakenComesBackOverADay() {
        assertThat(allowance.take(ONE, 900)).isZero();

        assertThat(allowance.take(ONE, 200)).isBetween(8_000L, 8_640L); // of a hundred more
        assertThat(allowance.take(ONE, 100)).as("what was refused is not taken").isZero();
        assertThat(allowance.take(ONE, 0)).isZero();
        assertThat(allowance.take(new UUID(0, 2), 1_000)).as("another's").isZero();
    }

    @Test
    void whoWantsMoreThanADaysGetsItOnce() {
        assertThat(allowance.take(ONE, 5_000)).isZero();
        assertThat(allowance.take(ONE, 5_000)).isBetween(86_000L, 86_400L);
    }
}
