package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.queue.NewJob;
import dev.sheaf.client.queue.QueueSettings;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.key.ApiKeyRequest;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `sheaf work` in processes of its own, which are killed and told to end, and a server that is stopped meanwhile.
class SheafWorkTest {
    private static final Duration LONGEST = Duration.ofMinutes(4);
    private static final int JOBS = 1_000;
    private static final int CONCURRENCY = 6;

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        started.forEach(Process::destroyForcibly);
    }

    private SheafClient client(TestApp app) {
        return SheafClient.of(RegistryUrl.parse(app.url()))
                .key(Secret.of(app.admin()))
                .cache(folder.resolve("cache"))
                .open();
    }

    private Path script(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("script.sh"), "#!/bin/sh\n" + text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process worker(TestApp app, String key, int concurrency, Path script) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.sheaf.cli.Main"));
        command.addAll(List.of("work", "checks", "--concurrency", Integer.toString(concurrency)));
        command.addAll(List.of("--work-dir", folder.resolve("work").toString(), "--", script.toString()));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said-" + started.size()).toFile());
        builder.environment().put("SHEAF_URL", app.url());
        builder.environment().put("SHEAF_API_KEY", key);
        builder.environment().put("HOME", folder.resolve("home").toString());
        var process = builder.start();
        started.add(process);
        return process;
    }

    private static void fill(SheafClient client) {
        var jobs = IntStream.range(0, 100).mapToObj(NewJob::of).toList();
        for (int i = 0; i < JOBS / 100; i++) {
            client.jobs(null).enqueueAll("checks", jobs);
        }
    }

    private static Queue.Counts counts(Queues queues) {
        return queues.get("checks").counts();
    }

    private static void until(Queues queues, long completed) {
        long[] next = {0};
        Eventually.within(LONGEST, () -> {
            if (System.nanoTime() < next[0]) {
                return false;
            }
            next[0] = System.nanoTime() + Duration.ofMillis(200).toNanos();
            return counts(queues).completed() >= completed;
        });
    }

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void aThousandJobsAreDoneWhateverBecomesOfTheWorkersAndTheServer() throws Exception {
        Path runs = Files.createFile(folder.resolve("runs"));
        var script = script("echo \"$SHEAF_JOB_ID\" >> " + runs);
        var port = Map.of("port", Integer.toString(Ports.free()));
        var app = TestApp.start(folder.resolve("data"), port);
        try {
            String key;
            try (var client = client(app)) {
                key = key(client);
                client.queues(null)
                        .create(QueueSettings.NONE.slug("checks").name("checks").leaseSeconds(5));
                fill(client);
            }
            var killed = worker(app, key, CONCURRENCY, script);
            var ended = worker(app, key, CONCURRENCY, script);
            try (var client = client(app)) {
                until(client.queues(null), 150);
                killed.destroyForcibly().waitFor();
                worker(app, key, CONCURRENCY, script);
                until(client.queues(null), 350);
            }

            app.close();
            app = app.startOn(app.with(port));
            try (var client = client(app)) {
                until(client.queues(null), 500);
                ended.destroy();
                assertThat(ended.waitFor()).isZero();
                until(client.queues(null), JOBS);

                assertThat(counts(client.queues(null))).isEqualTo(new Queue.Counts(0, 0, 0, 0, JOBS, 0, 0, 0));
            }
        } finally {
            app.close();
        }
        var all = Files.readAllLines(runs);
        var each = all.stream().collect(Collectors.groupingBy(id -> id, Collectors.counting()));
        assertThat(each).hasSize(JOBS);
        assertThat(all).as("only what was cut off ran again").hasSizeLessThanOrEqualTo(JOBS + 4 * CONCURRENCY);
    }

    /// One that can work on this queue and do nothing else.
    private static String key(SheafClient client) {
        var only = new KeyRestrictions(null, null, null, List.of("checks"), List.of("work"));
        var key = client.keys(null).create(new ApiKeyRequest("worker", List.of("write"), null, null, null, only));
        return Objects.requireNonNull(key.key());
    }

    /// Halted for longer than its lease, as a machine that sleeps.
    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void whoWasHaltedForTooLongStopsWhatAnotherDoesNow() throws Exception {
        Path runs = Files.createFile(folder.resolve("runs"));
        Path goOn = folder.resolve("go-on");
        Path script = script(
                "echo \"$SHEAF_JOB_ATTEMPT\" >> %s; while [ ! -e %s ]; do sleep 0.1; done".formatted(runs, goOn));
        try (var app = TestApp.start(folder.resolve("data"));
                var client = client(app)) {
            client.queues(null)
                    .create(QueueSettings.NONE.slug("checks").name("checks").leaseSeconds(5));
            var job = client.jobs(null).enqueue("checks", NewJob.of(1));
            String key = key(client);
            var halted = worker(app, key, 1, script);
            Eventually.within(LONGEST, () -> lines(runs) == 1);
            signal("STOP", halted);
            worker(app, key, 1, script);
            Eventually.within(LONGEST, () -> lines(runs) == 2);

            signal("CONT", halted);
            Eventually.within(LONGEST, () -> said(0).contains("stopped  " + job.id()));
            Files.createFile(goOn);

            assertThat(client.jobs(null).await(job.id(), LONGEST).status()).isEqualTo("completed");
            assertThat(client.jobs(null).withAttempts(job.id()).attempts())
                    .extracting(Job.Attempt::outcome)
                    .startsWith(
                            "lost") // perhaps twice: the halted worker waits for another job, too, and gets this one
                    .endsWith("completed")
                    .doesNotContain("failed", "timed-out");
            assertThat(said(0)).doesNotContain("completed  ");
        }
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " " + process.pid())
                .start()
                .waitFor();
    }

    private static int lines(Path file) {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException e) {
            return 0;
        }
    }

    private String said(int worker) {
        try {
            return Files.readString(folder.resolve("said-" + worker));
        } catch (IOException e) {
            return "";
        }
    }
}
