package dev.sheaf.engine.http;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sheaf.engine.http.MemoryBudget.Account;
import dev.sheaf.engine.http.MemoryBudget.Work;
import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import java.net.InetAddress;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final Account ACME = new Account(new RateHolder.Credential(UUID.randomUUID()), true);
    private static final Account OTHER = new Account(new RateHolder.Credential(UUID.randomUUID()), true);

    @Test
    void refusesWhatIsNotFreeAndTakesItLater() {
        var budget = new MemoryBudget(100);
        budget.take(ACME, 60, 0);

        var problem = refusal(Problem.RateLimited.class, () -> budget.take(OTHER, 41, 0));

        assertThat(problem.retryAfterSeconds()).isPositive();
        budget.giveBack(ACME, 1, 0);
        assertThatCode(() -> budget.take(OTHER, 41, 0)).doesNotThrowAnyException();
    }

    @Test
    void nobodyGetsAllOfIt() {
        var budget = new MemoryBudget(800);
        budget.take(ACME, 400, 0);

        refusal(Problem.RateLimited.class, () -> budget.take(ACME, 201, 0));
        refusal(Problem.PayloadTooLarge.class, () -> budget.take(OTHER, 601, 0));
        assertThatCode(() -> budget.take(OTHER, 400, 0)).doesNotThrowAnyException();
    }

    @Test
    void strangersTakeNothingFromThoseWithAKey() {
        var budget = new MemoryBudget(800);
        int granted = 0;
        for (int i = 1; i < 60; i++) {
            try {
                budget.take(new Account(RateHolder.of(InetAddress.ofLiteral("10.0.0." + i)), false), 100, 0);
                granted++;
            } catch (ProblemException e) {
                // a quarter is theirs
            }
        }

        assertThat(granted).isEqualTo(2);
        assertThatCode(() -> budget.take(ACME, 600, 0)).doesNotThrowAnyException();
    }

    @Test
    void anIpv6NetworkIsOneStranger() {
        var budget = new MemoryBudget(800);
        budget.take(new Account(RateHolder.of(InetAddress.ofLiteral("2001:db8::1")), false), 100, 0);

        refusal(
                Problem.RateLimited.class,
                () -> budget.take(new Account(RateHolder.of(InetAddress.ofLiteral("2001:db8::2:2")), false), 1, 0));
    }

    private static Account stranger(int number) {
        return new Account(RateHolder.of(InetAddress.ofLiteral("10.0.0." + number)), false);
    }

    private static Work work(long bytes) {
        return new Work("this", bytes, 1);
    }

    @Test
    void aStrangerMayAskForMuchOnce() {
        var budget = new MemoryBudget(800);
        budget.takeForWork(stranger(1), work(300), 0);

        refusal(Problem.RateLimited.class, () -> budget.takeForWork(stranger(1), work(50), 0));
        budget.giveBack(stranger(1), 0, 300);
        assertThat(budget.used()).isZero();
        assertThatCode(() -> budget.takeForWork(stranger(1), work(300), 0)).doesNotThrowAnyException();
    }

    @Test
    void strangersTogetherGetHalfForTheirWork() {
        var budget = new MemoryBudget(800);
        budget.takeForWork(stranger(1), work(400), 0);

        refusal(Problem.RateLimited.class, () -> budget.takeForWork(stranger(2), work(1), 0));
        assertThatCode(() -> budget.takeForWork(ACME, work(400), 0)).doesNotThrowAnyException();
    }

    @Test
    void anOrganizationGetsThreeQuartersForItsWork() {
        var budget = new MemoryBudget(800);
        budget.takeForWork(ACME, work(600), 0);

        refusal(Problem.RateLimited.class, () -> budget.takeForWork(ACME, work(1), 0));
        assertThatCode(() -> budget.takeForWork(stranger(1), work(200), 0)).doesNotThrowAnyException();
    }

    @Test
    void whatWouldNotFitAloneIsRefusedForGood() {
        var budget = new MemoryBudget(800);

        assertThat(refusal(
                        Problem.PayloadTooLarge.class,
                        () -> budget.takeForWork(stranger(1), new Work("it", 101, 4), 0)))
                .isEqualTo(new Problem.PayloadTooLarge(Throttle.MEMORY, "it", 100, "bytes"));
        assertThat(refusal(Problem.PayloadTooLarge.class, () -> budget.takeForWork(ACME, new Work("it", 151, 4), 0))
                        .limit())
                .isEqualTo(150);
        refusal(Problem.PayloadTooLarge.class, () -> budget.takeForWork(ACME, new Work("it", Long.MAX_VALUE, 4), 0));
        refusal(Problem.PayloadTooLarge.class, () -> budget.take(stranger(1), 101, 0));
        assertThat(budget.used()).isZero();
    }

    @Test
    void aRequestThatWouldNotFitWithItsOwnBodyIsRefusedForGood() {
        var budget = new MemoryBudget(800);
        budget.take(ACME, 300, 0);

        assertThat(refusal(Problem.PayloadTooLarge.class, () -> budget.takeForWork(ACME, new Work("it", 300, 2), 300))
                        .limit())
                .isEqualTo(150);
        refusal(Problem.PayloadTooLarge.class, () -> budget.take(ACME, 301, 300));
        refusal(Problem.RateLimited.class, () -> budget.takeForWork(ACME, work(301), 0));
    }

    @Test
    void isWholeAgainAfterManyUsedItAtOnce() {
        var budget = new MemoryBudget(1_000);
        var most = new AtomicInteger();
        var held = new AtomicInteger();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 2_000; i++) {
                var account = i % 2 == 0 ? ACME : OTHER;
                threads.submit(() -> use(budget, account, held, most));
            }
        }

        assertThat(most.get()).isPositive().isLessThanOrEqualTo(1_000);
        assertThat(budget.used()).isZero();
    }

    private static void use(MemoryBudget budget, Account account, AtomicInteger held, AtomicInteger most) {
        try {
            budget.take(account, 300, 0);
            most.accumulateAndGet(held.addAndGet(300), Math::max);
            Thread.yield();
            held.addAndGet(-300);
            budget.giveBack(account, 300, 0);
        } catch (ProblemException e) {
            // full just now
        }
    }
}
