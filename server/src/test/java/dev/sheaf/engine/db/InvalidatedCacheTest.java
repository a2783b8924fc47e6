package dev.sheaf.engine.db;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.stats.StatsCounter;
import dev.sheaf.model.Problem;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class InvalidatedCacheTest {
    private final AtomicReference<String> stored = new AtomicReference<>("old");
    private final AtomicInteger lookUps = new AtomicInteger();
    private final AtomicBoolean hears = new AtomicBoolean(true);
    private final AtomicLong nanos = new AtomicLong();
    private final InvalidatedCache<String, String> remembered =
            new InvalidatedCache<>(hears::get, 100, nanos::get, StatsCounter.disabledStatsCounter());

    @Test
    void believesNothingWhileTheNodeHearsNothing() {
        get();
        hears.set(false);
        stored.set("new");

        assertThat(get()).contains("new");
        assertThat(get()).contains("new");
        assertThat(lookUps).as("asked each time").hasValue(3);
    }

    /// The second line, where something changed and nobody told.
    @Test
    void endsByItself() {
        get();
        stored.set("new");

        nanos.addAndGet(InvalidatedCache.LONGEST.toNanos() - 1);
        assertThat(get()).contains("old");
        nanos.addAndGet(1);

        assertThat(get()).contains("new");
    }

    @Test
    void givesWhatItKnewOnlyWhereItPassesAndNobodyCanBeAsked() {
        get();
        hears.set(false);

        assertThat(remembered.getOrLast("k", InvalidatedCacheTest::unavailable, "old"::equals))
                .contains("old");
        refusal(
                Problem.Unavailable.class,
                () -> remembered.getOrLast("k", InvalidatedCacheTest::unavailable, value -> false));
        refusal(Problem.Unavailable.class, () -> remembered.get("k", InvalidatedCacheTest::unavailable));
        assertThat(remembered.getOrLast("k", key -> Optional.of("new"), value -> true))
                .contains("new");
        refusal(
                Problem.NotFound.class,
                () -> remembered.getOrLast(
                        "k",
                        key -> {
                            throw new Problem.NotFound("it").raise();
                        },
                        value -> true));
    }

    private static Optional<String> unavailable(String key) {
        throw new Problem.Unavailable("the database cannot be reached now", 1).raise();
    }

    @Test
    void looksUpOnce() {
        get();

        assertThat(get()).contains("old");
        assertThat(lookUps).hasValue(1);
    }

    @Test
    void asksAgainForWhatIsAbsent() {
        assertThat(remembered.get("k", key -> Optional.empty())).isEmpty();

        assertThat(get()).contains("old");
    }

    @Test
    void looksUpAgainWhatWasForgotten() {
        get();
        remembered.get("other", key -> Optional.of("kept"));
        stored.set("new");

        remembered.forget("k");

        assertThat(get()).contains("new");
        assertThat(remembered.get("other", key -> Optional.of("changed"))).contains("kept");
    }

    @Test
    void looksUpEverythingAgainAfterEverythingWasForgotten() {
        get();
        stored.set("new");

        remembered.forgetAll();

        assertThat(get()).contains("new");
    }

    @Test
    void remembersNothingStaleWhenAKeyIsForgottenDuringItsLookUp() throws Exception {
        forgetDuringLookUp(cache -> cache.forget("k"));

        assertThat(get()).contains("new");
    }

    @Test
    void remembersNothingStaleWhenEverythingIsForgottenDuringALookUp() throws Exception {
        forgetDuringLookUp(InvalidatedCache::forgetAll);

        assertThat(get()).contains("new");
    }

    /// One caller may have to wait for its share of the connections; the others do not.
    @Test
    void noCallerWaitsForTheLookUpOfAnother() throws Exception {
        var hasRead = new CountDownLatch(1);
        var mayReturn = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var reading = threads.submit(() -> remembered.get("k", slow(hasRead, mayReturn)));
            hasRead.await();
            stored.set("new");

            assertThat(threads.submit(() -> get()).get()).contains("new");
            assertThat(threads.submit(() -> get()).get()).contains("new");
            assertThat(lookUps).as("the first to end is kept").hasValue(1);

            mayReturn.countDown();
            assertThat(reading.get()).contains("old");
            assertThat(get()).contains("new");
            assertThat(lookUps).hasValue(1);
        }
    }

    @Test
    void keepsALookUpBegunAfterTheForgettingBesideAnOlderOne() throws Exception {
        var hasRead = new CountDownLatch(1);
        var mayReturn = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var reading = threads.submit(() -> remembered.get("k", slow(hasRead, mayReturn)));
            hasRead.await();
            stored.set("new");
            threads.submit(() -> remembered.forget("k")).get();
            var secondRead = new CountDownLatch(1);
            var secondReturns = new CountDownLatch(1);
            var second = threads.submit(() -> remembered.get("k", slow(secondRead, secondReturns)));
            secondRead.await();

            mayReturn.countDown();
            assertThat(reading.get()).contains("old");
            secondReturns.countDown();

            assertThat(second.get()).contains("new");
            assertThat(get()).contains("new");
            assertThat(lookUps).as("its own value is kept").hasValue(0);
        }
    }

    /// A look-up has read the old state, then another thread commits and forgets, then the look-up ends.
    private void forgetDuringLookUp(Consumer<InvalidatedCache<String, String>> forget) throws Exception {
        var hasRead = new CountDownLatch(1);
        var maySee = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var reading = threads.submit(() -> remembered.get("k", slow(hasRead, maySee)));
            hasRead.await();
            stored.set("new");
            threads.submit(() -> forget.accept(remembered)).get(); // else the look-up could make this node late
            maySee.countDown();
            assertThat(reading.get()).contains("old");
        }
    }

    private Function<String, Optional<String>> slow(CountDownLatch hasRead, CountDownLatch mayReturn) {
        return key -> {
            String read = stored.get();
            hasRead.countDown();
            try {
                mayReturn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return Optional.of(read);
        };
    }

    private Optional<String> get() {
        return remembered.get("k", key -> {
            lookUps.incrementAndGet();
            return Optional.of(stored.get());
        });
    }
}
