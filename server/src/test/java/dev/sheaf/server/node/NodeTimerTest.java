package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.model.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

class NodeTimerTest {
    private static final int LONG = 20;

    /// Keys that are revoked by a report, what is refused, and signs of life all wait for it.
    @Test
    @Timeout(60)
    void whatTakesLongHoldsNothingElseUp() throws Exception {
        var timer = new NodeTimer();
        var running = new CountDownLatch(LONG);
        var end = new CountDownLatch(1);
        var others = new CountDownLatch(2);
        try {
            timer.now("waiting", () -> await(running, end));
            for (int i = 1; i < LONG; i++) {
                timer.every("working", Duration.ofMillis(1), () -> await(running, end));
            }
            assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();

            timer.every("working", Duration.ofMillis(1), others::countDown);

            assertThat(others.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            end.countDown();
            timer.stop();
        }
    }

    /// Runs work again and again, and returns the warnings.
    ///
    /// @param work gets the number of its run, from 1
    private static List<ILoggingEvent> warnings(int runs, IntConsumer work) throws Exception {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (Logger) LoggerFactory.getLogger(NodeTimer.class);
        logger.addAppender(lines);
        var timer = new NodeTimer();
        var run = new AtomicInteger();
        var enough = new CountDownLatch(runs);
        try {
            timer.every("counting", Duration.ofMillis(1), () -> {
                enough.countDown();
                work.accept(run.incrementAndGet());
            });
            assertThat(enough.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            timer.stop();
            logger.detachAppender(lines);
        }
        return lines.list.stream().filter(line -> line.getLevel() == Level.WARN).toList();
    }

    /// The same work may fail each second for long. One line says so; another failure is another line.
    @Test
    @Timeout(60)
    void aFailureIsLoggedOnceWhileItStaysTheSame() throws Exception {
        var warnings = warnings(9, run -> {
            switch (run) {
                case 1, 2, 3 -> throw new IllegalStateException("first");
                case 4, 5 -> throw new IllegalStateException("second");
                case 7, 8 -> throw new IllegalStateException("second");
                default -> {}
            }
        });

        assertThat(warnings)
                .extracting(
                        line -> Objects.requireNonNull(line.getThrowableProxy()).getMessage())
                .containsExactly("first", "second", "second");
    }

    /// Whatever noticed the outage has logged it, once for all work.
    @Test
    @Timeout(60)
    void anOutageHidesNoDefect() throws Exception {
        var warnings = warnings(5, run -> {
            if (run == 3) {
                throw new IllegalStateException("a defect");
            }
            throw new Problem.Unavailable("the database cannot be reached now", 5).raise();
        });

        assertThat(warnings).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).isEqualTo("counting failed; it will be tried again");
            assertThat(Objects.requireNonNull(line.getThrowableProxy()).getMessage())
                    .isEqualTo("a defect");
            assertThat(line.getThrowableProxy().getStackTraceElementProxyArray())
                    .isNotEmpty();
        });
    }

    private static void await(CountDownLatch running, CountDownLatch end) {
        running.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
