package dev.sheaf.server.http;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    @Test
    void refusesWhatIsNotFreeAndTakesItLater() {
        var budget = new MemoryBudget(100);
        budget.take(60);

        var problem = refusal(Problem.RateLimited.class, () -> budget.take(41));

        assertThat(problem.retryAfterSeconds()).isPositive();
        budget.giveBack(1);
        assertThatCode(() -> budget.take(41)).doesNotThrowAnyException();
    }

    @Test
    void isWholeAgainAfterManyUsedItAtOnce() {
        var budget = new MemoryBudget(1_000);
        var most = new AtomicInteger();
        var held = new AtomicInteger();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 2_000; i++) {
                threads.submit(() -> use(budget, held, most));
            }
        }

        assertThat(most.get()).isPositive().isLessThanOrEqualTo(1_000);
        assertThatCode(() -> budget.take(1_000)).doesNotThrowAnyException();
    }

    private static void use(MemoryBudget budget, AtomicInteger held, AtomicInteger most) {
        try {
            budget.take(300);
            most.accumulateAndGet(held.addAndGet(300), Math::max);
            Thread.yield();
            held.addAndGet(-300);
            budget.giveBack(300);
        } catch (ProblemException e) {
            // full just now
        }
    }
}
