package dev.sheaf.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HealthTest {
    private static final Health.Question UP = Optional::empty;
    private static final Health.Question DOWN = () -> {
        throw new IllegalStateException("no answer");
    };

    private static final ModeRecord READ_ONLY = new ModeRecord(true, "moving", "admin");

    private static Health.Check needed(String name, Health.Question question) {
        return new Health.Check(name, true, Duration.ofSeconds(5), question);
    }

    private static void hang(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Health.Check useful(String name, Health.Question question) {
        return new Health.Check(name, false, Duration.ofSeconds(5), question);
    }

    @Test
    void onlyAPartThatIsNeededMakesTheNodeUnready() {
        var well = new Health(List.of(needed("database", UP), useful("store", UP)), () -> null);
        assertThat(well.fault()).isEmpty();
        assertThat(well.report().status()).isEqualTo("up");

        var degraded = new Health(List.of(needed("database", UP), useful("store", DOWN)), () -> null);
        assertThat(degraded.fault()).isEmpty();
        assertThat(degraded.report().status()).isEqualTo("degraded");
        assertThat(degraded.report().parts())
                .containsExactly(
                        new NodeHealth.Part("database", "up", true, null),
                        new NodeHealth.Part("store", "down", false, "it cannot be reached"));

        var down = new Health(List.of(needed("database", DOWN), useful("store", UP)), () -> null);
        assertThat(down.fault()).contains("database");
        assertThat(down.report().status()).isEqualTo("down");
    }

    @Test
    void aNodeThatIsReadOnlyIsReadyAndSaysSo() {
        var health = new Health(List.of(needed("database", UP)), () -> READ_ONLY);

        assertThat(health.fault()).isEmpty();
        assertThat(health.report().status()).isEqualTo("up");
        assertThat(health.report().mode()).isEqualTo(READ_ONLY);
    }

    @Test
    void aProblemSaysWhatIsWrong() {
        var full = new Health(
                List.of(needed("disk", () -> {
                    throw new Problem.StorageFull().raise();
                })),
                () -> null);

        assertThat(full.report().parts().getFirst().detail()).isEqualTo(new Problem.StorageFull().detail());
    }

    @Test
    void aNodeThatLeavesIsNotReady() {
        var health = new Health(List.of(needed("database", UP)), () -> null);
        health.leave();

        assertThat(health.fault()).contains("shutdown");
        assertThat(health.report().status()).isEqualTo("down");
    }

    @Test
    void reusesAnAnswer() {
        var asked = new AtomicInteger();
        var health = new Health(
                List.of(needed("store", () -> {
                    asked.incrementAndGet();
                    return Optional.empty();
                })),
                () -> null);

        for (int i = 0; i < 100; i++) {
            assertThat(health.fault()).isEmpty();
        }

        assertThat(asked).hasValueLessThan(3);
    }

    @Test
    void doesNotWaitForAPartThatHangs() {
        var end = new CountDownLatch(1);
        var health = new Health(
                List.of(needed("store", () -> {
                    hang(end);
                    return Optional.empty();
                })),
                () -> null);

        assertThat(health.fault()).contains("store");

        end.countDown();
        Eventually.within(Duration.ofSeconds(20), () -> health.fault().isEmpty());
    }

    @Test
    void theLastResultCountsUntilAPartIsLate() {
        var asked = new AtomicInteger();
        var end = new CountDownLatch(1);
        var check = new Health.Check("store", true, Duration.ofNanos(1), () -> {
            if (asked.incrementAndGet() > 1) {
                hang(end);
            }
            return Optional.empty();
        });
        var health = new Health(List.of(check), () -> null, Duration.ofMillis(1), Duration.ofHours(1));

        assertThat(health.fault()).as("the first result").isEmpty();
        assertThat(health.fault()).as("nobody waits an hour for the second").isEmpty();
        Eventually.within(Duration.ofSeconds(20), () -> asked.get() == 2); // its thread may only be starting
        end.countDown();
    }

    @Test
    void severalPartsThatHangCostOneWait() {
        var end = new CountDownLatch(1);
        Health.Question hangs = () -> {
            hang(end);
            return Optional.empty();
        };
        var health = new Health(
                List.of(needed("database", hangs), needed("store", hangs), needed("disk", hangs)), () -> null);
        long since = System.nanoTime();

        assertThat(health.report().parts()).allMatch(part -> part.detail() != null);

        assertThat(Duration.ofNanos(System.nanoTime() - since))
                .as("three waits take six seconds")
                .isLessThan(Duration.ofMillis(5_500));
        end.countDown();
    }
}
