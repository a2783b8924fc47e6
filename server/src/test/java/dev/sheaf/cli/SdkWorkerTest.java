package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.queue.EndedJobs;
import dev.sheaf.client.queue.JobFilter;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.client.queue.NewJob;
import dev.sheaf.client.queue.QueueSettings;
import dev.sheaf.client.work.Outcome;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// The SDK's worker at a real registry, where jobs are cancelled, lost, tried again.
@EveryStack
class SdkWorkerTest {
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @Parameter
    private Stack stack;

    @TempDir
    private Path folder;

    private TestApp app;

    @BeforeEach
    void start() {
        app = TestApp.start(stack, folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private SheafClient open() {
        return SheafClient.of(RegistryUrl.parse(app.url()))
                .key(Secret.of(app.admin()))
                .cache(folder.resolve("cache"))
                .open();
    }

    private static String queue(SheafClient client, QueueSettings settings) {
        String slug = "q" + UUID.randomUUID();
        client.queues(null).create(settings.slug(slug).name(slug));
        return slug;
    }

    private static List<Job> fill(Jobs jobs, String queue, int count) {
        return jobs.enqueueAll(
                queue, IntStream.range(0, count).mapToObj(NewJob::of).toList());
    }

    @Test
    void everyJobIsDoneOnce() throws InterruptedException {
        try (var client = open()) {
            String queue = queue(client, QueueSettings.NONE);
            fill(client.jobs(null), queue, 60);
            var seen = new ConcurrentHashMap<Object, AtomicInteger>();

            try (var worker = client.worker(queue)
                    .handler(job -> {
                        Object input = job.job().inputData();
                        seen.computeIfAbsent(String.valueOf(input), key -> new AtomicInteger())
                                .incrementAndGet();
                        return Outcome.completed(Map.of("twice", input + "" + input));
                    })
                    .concurrency(8)
                    .untilEmpty()
                    .start()) {
                worker.await();
            }

            assertThat(seen)
                    .hasSize(60)
                    .allSatisfy((key, times) -> assertThat(times).hasValue(1));
            var done = client.jobs(null).list(queue, JobFilter.ALL, 100);
            assertThat(done).hasSize(60).allSatisfy(job -> {
                assertThat(job.status()).isEqualTo("completed");
                assertThat(job.outputData()).isEqualTo(Map.of("twice", job.inputData() + "" + job.inputData()));
            });
            assertThat(client.queues(null).get(queue).counts()).isEqualTo(new Queue.Counts(0, 0, 0, 0, 60, 0, 0, 0));
        }
    }

    @Test
    void whoCancelsAJobStopsTheWork() throws InterruptedException {
        try (var client = open()) {
            String queue = queue(client, QueueSettings.NONE);
            var begun = new CountDownLatch(1);
            var stopped = new CountDownLatch(1);
            var job = client.jobs(null).enqueue(queue, NewJob.of(1));
            try (var worker = client.worker(queue)
                    .handler(held -> {
                        held.progress(40, "on the way");
                        begun.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } finally {
                            stopped.countDown();
                        }
                        return Outcome.completed(null);
                    })
                    .lease(SHORT)
                    .maxJobs(1)
                    .start()) {
                assertThat(begun.await(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
                var progress = client.jobs(null).get(job.id()).progress();
                assertThat(progress).extracting(Job.Progress::percent).isEqualTo(40);

                client.jobs(null).cancel(job.id());

                assertThat(stopped.await(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
                worker.await();
            }
            assertThat(client.jobs(null).get(job.id()).status()).isEqualTo("cancelled");
        }
    }

    @Test
    void aJobThatIsTriedAgainWhileItsOldWorkGoesOnIsDoneOnceByThat() throws InterruptedException {
        try (var client = open()) {
            String queue = queue(client, QueueSettings.NONE);
            var tries = new AtomicInteger();
            var begun = new CountDownLatch(1);
            var job = client.jobs(null).enqueue(queue, NewJob.of(1));
            try (var worker = client.worker(queue)
                    .handler(held -> {
                        if (tries.incrementAndGet() == 1) {
                            begun.countDown();
                            new CountDownLatch(1).await();
                        }
                        return Outcome.completed("try " + held.job().attemptNumber());
                    })
                    .lease(SHORT)
                    .concurrency(2)
                    .maxJobs(2)
                    .start()) {
                assertThat(begun.await(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
                client.jobs(null).cancel(job.id());
                client.jobs(null).retry(job.id());
                worker.await();
            }

            var ended = client.jobs(null).withAttempts(job.id());
            assertThat(ended.status()).isEqualTo("completed");
            assertThat(ended.outputData()).isEqualTo("try 2");
            assertThat(ended.attempts()).extracting(Job.Attempt::outcome).containsExactly("cancelled", "completed");
        }
    }

    @Test
    void whatFailsIsTriedAgainAndThenDead() throws InterruptedException {
        try (var client = open()) {
            String queue = queue(client, QueueSettings.NONE.maxAttempts(2).retry(new Queue.Retry(1, 1)));
            var job = client.jobs(null).enqueue(queue, NewJob.of(1));
            try (var worker = client.worker(queue)
                    .handler(held -> {
                        throw new IOException("no luck");
                    })
                    .maxJobs(2)
                    .start()) {
                worker.await();
            }

            var ended = client.jobs(null).withAttempts(job.id());
            assertThat(ended.status()).isEqualTo("dead");
            assertThat(ended.errorCode()).isEqualTo("exception");
            assertThat(ended.errorMessage()).contains("no luck");
            assertThat(ended.attempts()).hasSize(2);
            assertThat(client.jobs(null).retryAll(queue, EndedJobs.of(List.of("dead"))))
                    .isEqualTo(1);
        }
    }

    @Test
    void aJobsTokenPullsItsBundle() throws Exception {
        app.push("acme/kit", "1.0.0", "private", "Work well.");
        try (var client = open()) {
            String queue = queue(client, QueueSettings.NONE.bundle("acme/kit:^1"));
            fill(client.jobs(null), queue, 2);
            var places = new ConcurrentHashMap<UUID, String>();
            try (var worker = client.worker(queue)
                    .handler(job -> {
                        Path target = folder.resolve(job.job().id().toString());
                        job.pull(target);
                        places.put(job.job().id(), Files.readString(target.resolve("SKILL.md")));
                        return Outcome.completed(null);
                    })
                    .untilEmpty()
                    .start()) {
                worker.await();
            }

            assertThat(places)
                    .hasSize(2)
                    .allSatisfy((job, text) -> assertThat(text).isEqualTo("Work well."));
        }
    }
}
