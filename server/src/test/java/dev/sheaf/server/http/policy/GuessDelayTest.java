package dev.sheaf.server.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.rate.RatePolicy;
import dev.sheaf.server.rate.RateStanding;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuessDelayTest {
    @ParameterizedTest
    @CsvSource({
        "20, 19, 0", // the first
        "20, 15, 0",
        "20, 14, 50",
        "20, 13, 100",
        "20, 10, 800",
        "20, 0, 1600",
        "1, 0, 0",
        "1000000, 0, 1600"
    })
    void waitsTwiceAsLongEachTime(long quota, long remaining, long millis) {
        assertThat(GuessDelay.millis(new RateStanding(new RatePolicy("failures", quota), true, remaining, 0)))
                .isEqualTo(millis);
    }
}
