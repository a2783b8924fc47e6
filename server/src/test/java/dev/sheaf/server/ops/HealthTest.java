package dev.sheaf.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
        var well = new Health(List.of(needed("database", UP), useful("store", UP)), () -> null, InstantSource.system());
        assertThat(well.fault()).isEmpty();
        assertThat(well.report().status()).isEqualTo("up");

        var degraded =
                new Health(List.of(needed("database", UP), useful("store", DOWN)), () -> null, InstantSource.system());
        assertThat(degraded.fault()).isEmpty();
        assertThat(degraded.report().status()).isEqualTo("degraded");
        assertThat(degraded.report().parts())
                .extracting(
                        NodeHealth.Part::name,
                        NodeHealth.Part::status,
                        NodeHealth.Part::needed,
                        NodeHealth.Part::detail)
                .containsExactly(
                        tuple("database", "up", true, null), tuple("store", "down", false, "it cannot be reached"));

        var down =
                new Health(List.of(needed("database", DOWN), useful("store", UP)), () -> null, InstantSource.system());
        assertThat(down.fault()).contains("database");
        assertThat(down.report().status()).isEqualTo("down");
    }

    @Test
    void aNodeThatIsReadOnlyIsReadyAndSaysSo() {
        var health = new Health(List.of(needed("database", UP)), () -> READ_ONLY, InstantSource.system());

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
                () -> null,
                InstantSource.system());

        assertThat(full.report().parts().getFirst().detail()).isEqualTo(new Problem.StorageFull().detail());
    }

    @Test
    void aPartSaysWhatItHasAlsoWhileItFails() {
        var full = needed("disk", () -> {
                    throw new Problem.StorageFull().raise();
                })
                .about(() -> "1 of 10 GiB is free");
        var shy = needed("clock", UP).about(() -> {
            throw new IllegalStateException("nothing to say");
        });
        var parts = new Health(List.of(full, shy), () -> null, InstantSource.system())
                .report()
                .parts();

        assertThat(parts.getFirst().status()).isEqualTo("down");
        assertThat(parts.getFirst().about()).isEqualTo("1 of 10 GiB is free");
        assertThat(parts.getLast().status()).isEqualTo("up");
        assertThat(parts.getLast().about()).isNull();
    }

    @Test
    void aPartHasItsStateSinceItChanged() {
        var now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        var fails = new AtomicBoolean();
        var check = new Health.Check(
                "store", true, Duration.ZERO, () -> fails.get() ? Optional.of("no answer") : Optional.empty());
        var health = new Health(List.of(check), () -> null, now::get);
        assertThat(since(health)).isEqualTo("2026-01-01T00:00:00Z");

        now.set(Instant.parse("2026-01-02T00:00:00Z"));
        assertThat(since(health)).as("it works as before").isEqualTo("2026-01-01T00:00:00Z");
        fails.set(true);
        assertThat(since(health)).isEqualTo("2026-01-02T00:00:00Z");
        now.set(Instant.parse("2026-01-03T00:00:00Z"));
        assertThat(since(health)).as("it fails as before").isEqualTo("2026-01-02T00:00:00Z");
        fails.set(false);
        assertThat(since(health)).isEqualTo("2026-01-03T00:00:00Z");
    }

    private static String since(Health health) {
        return String.valueOf(health.report().parts().getFirst().since());
    }

    @Test
    void aNodeThatLeavesIsNotReady() {
        var health = new Health(List.of(needed("database", UP)), () -> null, InstantSource.system());
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
                () -> null,
                InstantSource.system());

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
                () -> null,
                InstantSource.system());

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
        var health = new Health(
                List.of(check), () -> null, InstantSource.system(), Duration.ofMillis(1), Duration.ofHours(1));

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
                List.of(needed("database", hangs), needed("store", hangs), needed("disk", hangs)),
                () -> null,
                InstantSource.system());
        long since = System.nanoTime();

        assertThat(health.report().parts()).allMatch(part -> part.detail() != null);

        assertThat(Duration.ofNanos(System.nanoTime() - since))
                .as("three waits take six seconds")
                .isLessThan(Duration.ofMillis(5_500));
        end.countDown();
    }
}
