package dev.sheaf.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReadinessTest {
    private static final Runnable UP = () -> {};
    private static final Runnable DOWN = () -> {
        throw new IllegalStateException("no answer");
    };

    @Test
    void saysWhatTheNodeCannotDo() {
        assertThat(new Readiness(() -> true, UP, UP).fault()).isEmpty();
        assertThat(new Readiness(() -> false, DOWN, UP).fault()).contains("reach its database");
        assertThat(new Readiness(() -> true, UP, DOWN).fault()).contains("reach its blob store");
        assertThat(new Readiness(() -> false, UP, UP).fault()).contains("hear what other nodes change");
    }

    @Test
    void asksTheStoreSeldom() {
        var asked = new AtomicInteger();
        var readiness = new Readiness(() -> true, UP, asked::incrementAndGet);

        for (int i = 0; i < 100; i++) {
            assertThat(readiness.fault()).isEmpty();
        }

        assertThat(asked).hasValueLessThan(3);
    }

    @Test
    void doesNotWaitForWhatHangs() {
        var end = new CountDownLatch(1);
        var readiness = new Readiness(() -> true, UP, () -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        assertThat(readiness.fault()).contains("reach its blob store");

        end.countDown();
        assertThat(readiness.fault()).as("it answers after all").isEmpty();
    }
}
