package dev.sheaf.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Requests that come while the files are read for the first time.
class ClientArchivesTest {
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch failing = new CountDownLatch(1);
    private final AtomicInteger reads = new AtomicInteger();
    private final ClientArchives archives = new ClientArchives(this::files, new CpuPool(1));

    /// Fails the first time, once that is allowed.
    private Optional<ClientFiles> files() {
        if (reads.incrementAndGet() > 1) {
            return Optional.empty();
        }
        reading.countDown();
        try {
            failing.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        throw new Problem.NotFound("a file").raise();
    }

    @Test
    void theyShareAFailureAndTheNextOneTriesAgain() throws Exception {
        var first = new FutureTask<>(archives::find);
        Thread.ofPlatform().start(first);
        reading.await();
        var second = new FutureTask<>(archives::find);
        var thread = Thread.ofPlatform().start(second);
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        failing.countDown();

        assertThatThrownBy(first::get).hasCauseInstanceOf(ProblemException.class);
        assertThatThrownBy(second::get).hasCauseInstanceOf(ProblemException.class);
        assertThat(reads).hasValue(1);
        assertThat(archives.find()).isEmpty();
    }
}
