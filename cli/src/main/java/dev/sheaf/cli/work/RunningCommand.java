package dev.sheaf.cli.work;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A command and all processes that it starts. If the system has `setsid`, they are a session of their own, so
/// that Ctrl-C does not reach them and a signal reaches all of them. For one thread.
final class RunningCommand {
    private static final int OUTPUT = 32 << 10;
    private static final int ERRORS = 4 << 10;
    private static final Duration READERS = Duration.ofSeconds(2);
    private static final Duration CLOCK = Duration.ofSeconds(1); // by which the start of a process may seem earlier

    /// The settings that all commands of a worker share.
    ///
    /// @param setsid null if the system has none
    /// @param grace the time between SIGTERM and SIGKILL
    record Means(@Nullable Path setsid, OrphanGuard guard, Duration grace) {}

    private final Process process;
    private final Means means;
    private final MarkedProcesses marked;
    private final OutputTail output = new OutputTail(OUTPUT);
    private final OutputTail errors = new OutputTail(ERRORS);
    private final List<Thread> readers;

    private RunningCommand(Process process, Means means, MarkedProcesses marked) {
        this.process = process;
        this.means = means;
        this.marked = marked;
        this.readers = List.of(output.read(process.getInputStream()), errors.read(process.getErrorStream()));
    }

    /// Starts the command without a shell.
    ///
    /// @param input its standard input
    /// @param environment all its variables
    /// @param mark a variable with its value, which marks the processes of this job
    static RunningCommand start(
            List<String> command, Path directory, Path input, Map<String, String> environment, String mark, Means means)
            throws IOException {
        var words = new ArrayList<String>();
        if (means.setsid() != null) {
            words.add(means.setsid().toString());
        }
        words.addAll(command);
        var builder = new ProcessBuilder(words).directory(directory.toFile()).redirectInput(input.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        var begin = Instant.now().minus(CLOCK);
        var process = builder.start();
        if (means.setsid() != null) {
            means.guard().add(process.pid());
        }
        return new RunningCommand(process, means, new MarkedProcesses(mark, begin));
    }

    OutputTail output() {
        return output;
    }

    /// Returns what describes a failure: the end of its standard error, or of its standard output if it wrote no
    /// errors; at most 4 KiB.
    String said() {
        String text = errors.text().strip();
        return text.isEmpty() ? output.text(ERRORS).strip() : text;
    }

    /// Waits for the end of the command, and ends processes that it left running. If the thread is interrupted,
    /// asks all its processes to end, and kills them after the grace period.
    ///
    /// @return its exit status; 128 plus the signal's number if a signal ended it
    int await() throws InterruptedException {
        try {
            int status = process.waitFor();
            endAll(children());
            return status;
        } catch (InterruptedException e) {
            terminate();
            throw e;
        } finally {
            if (means.setsid() != null) {
                means.guard().remove(process.pid());
            }
            join();
        }
    }

    private void terminate() {
        var all = children();
        if (means.setsid() == null) {
            all.forEach(ProcessHandle::destroy);
            process.destroy();
        } else {
            signal("TERM");
        }
        long end = System.nanoTime() + means.grace().toNanos();
        boolean ended = false;
        while (!ended && System.nanoTime() - end < 0) {
            try {
                ended = process.waitFor(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                break; // it must end immediately
            }
        }
        all.addAll(children());
        endAll(all);
        process.destroyForcibly();
        boolean interrupted = Thread.interrupted();
        try {
            process.waitFor(READERS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Set<ProcessHandle> children() {
        return new LinkedHashSet<>(process.descendants().toList());
    }

    /// Ends the group, and processes that left it: known children, and those with the job's mark in their
    /// environment.
    private void endAll(Set<ProcessHandle> children) {
        if (means.setsid() != null) {
            signal("KILL");
        }
        children.forEach(ProcessHandle::destroyForcibly);
        marked.kill();
    }

    /// Java cannot signal a group. The shell can: its `kill` is built in, so no program named kill is needed.
    private void signal(String name) {
        var command = List.of("/bin/sh", "-c", "kill -s \"$1\" -- \"-$2\"", "sh", name, Long.toString(process.pid()));
        boolean interrupted = Thread.interrupted();
        try {
            var kill = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.waitFor(READERS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            process.destroy();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void join() throws InterruptedException {
        for (Thread reader : readers) {
            reader.join(READERS);
        }
    }
}
