package dev.sheaf.engine.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RequestTotalsTest {
    private final RequestTimes times = new Metrics("1.0.0", false).requests();

    private void took(String route, int status, long milliseconds, int times) {
        for (int i = 0; i < times; i++) {
            this.times.took("GET", route, status, TimeUnit.MILLISECONDS.toNanos(milliseconds));
        }
    }

    @Test
    void countsRequestsAndFailuresOfTheServer() {
        took("/v1/a", 200, 1, 5);
        took("/v1/a", 404, 1, 3);
        took("/v1/b", 503, 1, 2);

        var totals = times.totals(route -> true);

        assertThat(totals.requests()).isEqualTo(10);
        assertThat(totals.failures()).isEqualTo(2);
        assertThat(totals.timed().stream().mapToLong(Long::longValue).sum()).isEqualTo(10);
    }

    @Test
    void aRouteThatWaitsCountsButIsNotTimed() {
        took("/v1/quick", 200, 2, 10);
        took("/v1/claim", 200, 30_000, 10);

        var totals = times.totals(route -> !route.endsWith("claim"));

        assertThat(totals.requests()).isEqualTo(20);
        assertThat(totals.milliseconds(0.99)).isLessThan(3);
    }

    @Test
    void estimatesDurationsBetweenTheLimits() {
        took("/v1/a", 200, 7, 99); // from 5 to 10 ms
        took("/v1/a", 200, 700, 1); // from 500 to 1,000 ms

        var totals = times.totals(route -> true);

        assertThat(totals.milliseconds(0.5)).isCloseTo(7.5, Offset.offset(0.1));
        assertThat(totals.milliseconds(0.99)).isCloseTo(10, Offset.offset(0.1));
        assertThat(totals.milliseconds(1)).isCloseTo(1_000, Offset.offset(0.1));
    }

    @Test
    void whatTookLongerThanEveryLimitCountsAsTheLast() {
        took("/v1/a", 200, 90_000, 1);

        assertThat(times.totals(route -> true).milliseconds(0.5)).isEqualTo(60_000);
    }

    @Test
    void differsBetweenTwoMoments() {
        took("/v1/a", 200, 1, 5);
        var before = times.totals(route -> true);
        took("/v1/a", 500, 300, 4);

        var since = times.totals(route -> true).since(before);

        assertThat(since.requests()).isEqualTo(4);
        assertThat(since.failures()).isEqualTo(4);
        assertThat(since.milliseconds(0.01)).isGreaterThan(200);
        assertThat(before.since(RequestTimes.Totals.NONE)).isEqualTo(before);
        assertThat(times.totals(route -> true)
                        .since(times.totals(route -> true))
                        .milliseconds(0.5))
                .as("nothing was timed")
                .isNull();
        assertThat(RequestTimes.Totals.NONE.milliseconds(0.5)).isNull();
    }
}
