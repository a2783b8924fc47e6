package dev.sheaf.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.cli.ChildProcess;
import dev.sheaf.client.testing.TinyQueue;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker in a process of its own is told to end, and killed.
@Tag("programs")
class WorkSignalsTest {
    private static final Duration LONGEST = Duration.ofSeconds(40);

    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();
    private final TinyQueue queue = new TinyQueue(registry);
    private final List<Process> started = new ArrayList<>();
    private Path begun;
    private Path goOn;

    @BeforeEach
    void begin() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setsid")), "there is no setsid");
        begun = folder.resolve("begun");
        goOn = folder.resolve("go-on");
    }

    @AfterEach
    void stop() {
        started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        started.forEach(Process::destroyForcibly);
        registry.close();
    }

    /// A worker whose command tells its process id and goes on until it may end.
    private Process worker() throws IOException {
        Path script = Files.writeString(folder.resolve("script.sh"), """
                #!/bin/sh
                echo $$ >> %s
                while [ ! -e %s ]; do sleep 0.05; done
                """.formatted(begun, goOn));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        var command = ChildProcess.sheaf();
        command.addAll(List.of("work", "checks", "--work-dir", work().toString(), "--", script.toString()));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().put("SHEAF_URL", registry.url().toString());
        builder.environment().put("SHEAF_API_KEY", TinyRegistry.KEY);
        builder.environment().put("HOME", folder.resolve("home").toString());
        var process = builder.start();
        started.add(process);
        return process;
    }

    private Path work() {
        return folder.resolve("work");
    }

    private static void until(BooleanSupplier what) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!what.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in vain").isLessThan(end);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private List<String> pids() {
        try {
            return Files.exists(begun) ? Files.readAllLines(begun) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    private boolean anyAlive() {
        return pids().stream()
                .anyMatch(pid -> ProcessHandle.of(Long.parseLong(pid))
                        .map(ProcessHandle::isAlive)
                        .orElse(false));
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"));
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void theFirstSignalEndsItAfterTheJobsAtWork() throws Exception {
        String id = queue.add(1);
        var worker = worker();
        until(() -> !pids().isEmpty());

        worker.destroy();
        until(() -> said().contains("takes no new jobs; 1 job still running"));
        String later = queue.add(2);
        Files.createFile(goOn);

        assertThat(worker.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(worker.exitValue()).as(said()).isZero();
        assertThat(queue.status(id)).isEqualTo("completed");
        assertThat(queue.status(later)).isEqualTo("queued");
        assertThat(queue.seen("worker-deregister")).hasSize(1);
        assertThat(work()).isEmptyDirectory();
    }

    @Test
    void theSecondSignalGivesTheJobsBack() throws Exception {
        queue.add(1);
        var worker = worker();
        until(() -> !pids().isEmpty());

        worker.destroy();
        until(() -> said().contains("takes no new jobs"));
        worker.destroy();

        assertThat(worker.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(worker.exitValue()).as(said()).isZero();
        assertThat(queue.seen("release")).hasSize(1);
        assertThat(queue.seen("complete")).isEmpty();
        assertThat(anyAlive()).isFalse();
        assertThat(said()).contains("released  ").doesNotContain("stopped  ");
    }

    @Test
    void whatAKilledWorkerDidEndsWithItAndLeavesNothing() throws Exception {
        queue.add(1);
        var worker = worker();
        until(() -> !pids().isEmpty());
        assertThat(anyAlive()).isTrue();

        worker.destroyForcibly().waitFor();

        until(() -> !anyAlive());
        until(() -> {
            try (var left = Files.list(work())) {
                return left.findAny().isEmpty();
            } catch (IOException e) {
                return false;
            }
        });
    }
}
