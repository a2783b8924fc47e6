package dev.sheaf.server.maintenance.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleRingTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MONTH = Duration.ofDays(30);

    private final SampleRing ring = new SampleRing();

    private static Instant minute(int minutes) {
        return BEGIN.plus(Duration.ofMinutes(minutes));
    }

    private void add(int minute, double requests) {
        var values = SampleRing.nothing();
        values[SampleMeasure.REQUESTS.ordinal()] = requests;
        ring.add(minute(minute), values);
    }

    private static List<Double> requests(List<SampleRing.Point> points) {
        return points.stream().map(point -> point.value(SampleMeasure.REQUESTS)).toList();
    }

    @Test
    void keepsTheMinutesOfADay() {
        for (int i = 1; i <= 1_500; i++) {
            add(i, i);
        }
        var minutes = ring.minutes(MONTH, minute(1_500));

        assertThat(minutes).hasSize(1_440);
        assertThat(requests(minutes)).startsWith(61.0).endsWith(1_500.0);
        assertThat(ring.minutes(Duration.ofHours(1), minute(1_500))).hasSize(60);
    }

    @Test
    void keepsTheAverageOfEachHourForAMonthAndTheHourThatRuns() {
        for (int i = 1; i <= 60; i++) {
            add(i, 10);
        }
        for (int i = 61; i <= 90; i++) {
            add(i, 20);
        }
        var hours = ring.hours(MONTH, minute(90));

        assertThat(requests(hours)).containsExactly(10.0, 20.0);
        assertThat(hours.getFirst().end()).isEqualTo(minute(60));
        assertThat(hours.getLast().end()).isEqualTo(minute(90));
    }

    @Test
    void forgetsHoursThatAreOlderThanAMonth() {
        for (int i = 1; i <= 60 * 800; i += 30) {
            add(i, i);
        }

        assertThat(ring.hours(Duration.ofDays(300), minute(60 * 800))).hasSize(721);
    }

    @Test
    void averagesSpansAndLeavesOutThoseWithoutASample() {
        add(1, 10);
        add(15, 20);
        add(16, 7);
        add(50, 1);

        var spans = SampleRing.averages(ring.minutes(DAY, minute(50)), Duration.ofMinutes(15));

        assertThat(requests(spans)).containsExactly(15.0, 7.0, 1.0);
        assertThat(spans).extracting(SampleRing.Point::end).containsExactly(minute(15), minute(30), minute(50));
    }

    @Test
    void whatWasNotMeasuredIsNeitherAveragedNorZero() {
        ring.add(minute(1), SampleRing.nothing());
        add(2, 8);

        assertThat(requests(ring.minutes(DAY, minute(2)))).containsExactly(null, 8.0);
        assertThat(requests(ring.hours(DAY, minute(2)))).containsExactly(8.0);
        assertThat(ring.minutes(DAY, minute(2)).getLast().value(SampleMeasure.JOBS_WAITING))
                .isNull();
    }
}
