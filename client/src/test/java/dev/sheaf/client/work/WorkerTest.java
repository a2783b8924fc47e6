package dev.sheaf.client.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.testing.TinyQueue;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Runner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a worker handles answers of a registry when something goes wrong.
class WorkerTest {
    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();
    private final TinyQueue queue = new TinyQueue(registry);
    private final List<String> told = new CopyOnWriteArrayList<>();
    private SheafClient client;

    private final WorkerListener listener = new WorkerListener() {
        @Override
        public void nothingToDo(Runner.QueueEntry queue) {
            told.add("nothing to do in " + queue.slug() + ", " + queue.status());
        }

        @Override
        public void stopped(Job job, String why) {
            told.add("stopped " + why);
        }

        @Override
        public void trouble(SheafException failure, Duration wait) {
            told.add("trouble");
        }

        @Override
        public void unreported(Job job, SheafException failure) {
            told.add("unreported " + failure.code().orElse(""));
        }
    };

    @BeforeEach
    void open() {
        client = SheafClient.of(registry.url()).cache(folder.resolve("cache")).open();
    }

    @AfterEach
    void close() {
        client.close();
        registry.close();
    }

    private WorkerBuilder worker(JobHandler handler) {
        return client.worker("checks").handler(handler).listener(listener);
    }

    @Test
    void everyJobIsDoneOnceAndTheWorkerSaysGoodbye() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            queue.add(i);
        }

        try (var worker = worker(job -> Outcome.completed(
                        Map.of("seen", String.valueOf(job.job().inputData()))))
                .concurrency(8)
                .untilEmpty()
                .start()) {
            worker.await();

            assertThat(worker.completed()).isEqualTo(50);
        }
        assertThat(queue.seen("complete")).hasSize(50);
        assertThat(queue.seen("complete").stream()
                        .map(call -> call.body().path("outputData").path("seen").asString()))
                .doesNotHaveDuplicates();
        assertThat(queue.seen("claim")).hasSizeLessThan(30);
        assertThat(queue.seen("worker-deregister"))
                .singleElement()
                .satisfies(call ->
                        assertThat(call.body().path("jobsCompleted").asInt()).isEqualTo(50));
    }

    @Test
    void atMostSoManyJobsAreTakenAndRunAtATime() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            queue.add(i);
        }
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var three = new CountDownLatch(3);
        try (var worker = worker(job -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    three.countDown();
                    assertThat(three.await(20, TimeUnit.SECONDS)).isTrue();
                    running.decrementAndGet();
                    return Outcome.completed(null);
                })
                .concurrency(3)
                .maxJobs(7)
                .start()) {
            worker.await();
        }

        assertThat(most).hasValue(3);
        assertThat(queue.seen("complete")).hasSize(7);
    }

    @Test
    void aFailedHandlerFailsTheTryAndATemplateThatIsWrongTheJob() throws InterruptedException {
        queue.add(1);
        queue.add(Map.of("template", "wrong"));
        queue.add(3);
        try (var worker = worker(job -> {
                    if (Integer.valueOf(3).equals(job.job().inputData())) {
                        return Outcome.failedForGood("bad_input", "three is no number");
                    }
                    throw new IllegalStateException("no luck");
                })
                .untilEmpty()
                .start()) {
            worker.await();

            assertThat(worker.failed()).isEqualTo(3);
        }
        assertThat(queue.seen("fail"))
                .extracting(
                        call -> call.body().path("errorCode").asString(),
                        call -> call.body().path("shouldRetry").asBoolean())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("exception", true),
                        org.assertj.core.groups.Tuple.tuple("prompt_error", false),
                        org.assertj.core.groups.Tuple.tuple("bad_input", false));
    }

    @Test
    void aRegistryThatFailsOrCutsTheLineIsAskedAgain() throws InterruptedException {
        String id = queue.add(1);
        queue.next("queues", exchange -> TinyRegistry.problem(exchange, 503, "service-unavailable", "later"));
        queue.next("claim", exchange -> TinyRegistry.problem(exchange, 503, "service-unavailable", "later"));
        queue.next("claim", exchange -> {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write('{');
        });
        queue.next("complete", exchange -> TinyRegistry.problem(exchange, 502, "", "starting"));
        queue.next("complete", exchange -> exchange.sendResponseHeaders(200, 1_000));
        try (var worker = worker(job -> Outcome.completed(null)).maxJobs(1).start()) {
            worker.await();
        }

        assertThat(queue.status(id)).isEqualTo("completed");
        assertThat(told).containsExactly("trouble", "trouble");
    }

    @Test
    void aQueueThatIsGoneEndsTheWorkerWithAReason() throws InterruptedException {
        queue.next("claim", exchange -> TinyRegistry.problem(exchange, 404, "not-found", "no such queue"));

        try (var worker = worker(job -> Outcome.completed(null)).start()) {
            assertThatThrownBy(worker::await).isInstanceOf(SheafException.NotFound.class);
        }
        try (var worker =
                client.worker("other").handler(job -> Outcome.completed(null)).start()) {
            assertThatThrownBy(worker::await)
                    .isInstanceOf(SheafException.NotFound.class)
                    .hasMessageContaining("the queue other does not exist");
        }
    }

    @Test
    void aCancelledJobIsStoppedByItsHeartbeatAndNothingIsReported() throws InterruptedException {
        queue.lease(300);
        String id = queue.add(1);
        var begun = new CountDownLatch(1);
        try (var worker = worker(job -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return Outcome.completed(null);
                })
                .maxJobs(1)
                .start()) {
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            queue.cancel(id);
            worker.await();
        }

        assertThat(told).containsExactly("stopped cancelled");
        assertThat(queue.seen("complete")).isEmpty();
        assertThat(queue.seen("fail")).isEmpty();
        assertThat(queue.seen("release")).isEmpty();
    }

    @Test
    void aLeaseThatIsLostStopsTheWorkAndTheNextHolderDoesIt() throws InterruptedException {
        queue.lease(300);
        String id = queue.add(1);
        var tries = new AtomicInteger();
        var begun = new CountDownLatch(1);
        try (var worker = worker(job -> {
                    if (tries.incrementAndGet() == 1) {
                        begun.countDown();
                        new CountDownLatch(1).await();
                    }
                    return Outcome.completed(null);
                })
                .concurrency(2)
                .maxJobs(2)
                .start()) {
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            queue.next("heartbeat", exchange -> {
                TinyRegistry.problem(exchange, 409, "lease-lost", "given to another");
                queue.lose(id);
            });
            worker.await();
        }

        assertThat(told).containsExactly("stopped given to another worker");
        assertThat(queue.status(id)).isEqualTo("completed");
    }

    @Test
    void anotherWorkerWithTheSameKeyIsNotTakenForThisOne() throws InterruptedException {
        queue.lease(300);
        String id = queue.add(1);
        var begun = new CountDownLatch(1);
        try (var worker = worker(job -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return Outcome.completed(null);
                })
                .maxJobs(1)
                .start()) {
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            queue.again(id);
            worker.await();
        }

        assertThat(told).containsExactly("stopped given to another worker");
        assertThat(queue.seen("complete")).isEmpty();
    }

    @Test
    void aJobThatRunsTooLongIsStoppedAndFails() throws InterruptedException {
        queue.timeout(100);
        queue.add(1);
        try (var worker = worker(job -> {
                    new CountDownLatch(1).await();
                    return Outcome.completed(null);
                })
                .maxJobs(1)
                .start()) {
            worker.await();
        }

        assertThat(queue.seen("fail")).singleElement().satisfies(call -> {
            assertThat(call.body().path("errorCode").asString()).isEqualTo("timeout");
            assertThat(call.body().path("shouldRetry").asBoolean()).isTrue();
        });
        assertThat(told).isEmpty(); // a timeout is reported as a failure, not as a stop
    }

    @Test
    void whoFindsNoJobHearsOfThat() throws InterruptedException {
        try (var worker = worker(job -> Outcome.completed(null)).untilEmpty().start()) {
            worker.await();
        }
        assertThat(told).containsExactly("nothing to do in checks, active");

        queue.add(1);
        try (var worker = worker(job -> Outcome.completed(null)).untilEmpty().start()) {
            worker.await();
        }
        assertThat(told).hasSize(1);
    }

    @Test
    void whoStopsGivesJobsBackAndWhoDrainsFinishesThem() throws InterruptedException {
        queue.add(1);
        var begun = new CountDownLatch(1);
        var worker = worker(job -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return Outcome.completed(null);
                })
                .start();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        worker.stop();
        worker.await();
        assertThat(queue.seen("release")).hasSize(1);
        assertThat(told).isEmpty();

        queue.add(2);
        var again = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var second = worker(job -> {
                    again.countDown();
                    goOn.await();
                    return Outcome.completed(null);
                })
                .start();
        assertThat(again.await(20, TimeUnit.SECONDS)).isTrue();
        second.drain();
        assertThat(second.await(Duration.ofMillis(50))).isFalse();
        goOn.countDown();
        second.await();
        assertThat(queue.seen("complete")).hasSize(1);
        assertThat(queue.seen("worker-deregister")).hasSize(2);
    }

    @Test
    void outputThatTheRegistryRefusesFailsTheJob() throws InterruptedException {
        queue.add(1);
        queue.next("complete", exchange -> TinyRegistry.problem(exchange, 413, "payload-too-large", "at most 256 KiB"));
        try (var worker = worker(job -> Outcome.completed("much")).maxJobs(1).start()) {
            worker.await();
        }

        assertThat(queue.seen("fail").getFirst().body().path("errorCode").asString())
                .isEqualTo("output_refused");
    }

    @Test
    void aWorkerThatTheRegistryForgotRegistersAgain() throws InterruptedException {
        queue.next("worker-heartbeat", exchange -> TinyRegistry.problem(exchange, 404, "not-found", "no worker"));
        try (var worker = worker(job -> Outcome.completed(null)).start()) {
            Thread.ofVirtual().start(() -> {
                while (queue.seen("worker-register").size() < 2) {
                    Thread.onSpinWait();
                    Thread.yield();
                }
                worker.drain();
            });
            worker.await();
        }

        assertThat(queue.seen("worker-register")).hasSize(2);
        assertThat(queue.seen("worker-register").get(0).body().path("instanceId"))
                .isEqualTo(queue.seen("worker-register").get(1).body().path("instanceId"));
    }
}
