package dev.sheaf.cli.work;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A command and all processes that it starts. They are a session of their own where the system has `setsid`, so that a
/// Ctrl-C does not reach them and a signal reaches all of them. For one thread.
final class RunningCommand {
    private static final int OUTPUT = 32 << 10;
    private static final int ERRORS = 4 << 10;
    private static final Duration READERS = Duration.ofSeconds(2);
    private static final Path PROCESSES = Path.of("/proc");
    private static final int LONGEST_ENVIRONMENT = 1 << 20;

    /// What the commands of a worker have in common.
    ///
    /// @param setsid null where the system has none
    /// @param grace between being asked to end and being ended
    record Means(@Nullable Path setsid, Guard guard, Duration grace) {}

    private final Process process;
    private final Means means;
    private final String mark;
    private final Tail output = new Tail(OUTPUT);
    private final Tail errors = new Tail(ERRORS);
    private final List<Thread> readers;

    private RunningCommand(Process process, Means means, String mark) {
        this.process = process;
        this.means = means;
        this.mark = mark;
        this.readers = List.of(output.read(process.getInputStream()), errors.read(process.getErrorStream()));
    }

    /// Starts it; no shell is in between.
    ///
    /// @param input what it reads on standard input
    /// @param environment all its variables
    /// @param mark a variable with its value, by which processes of this job are known
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
        var process = builder.start();
        if (means.setsid() != null) {
            means.guard().add(process.pid());
        }
        return new RunningCommand(process, means, mark);
    }

    Tail output() {
        return output;
    }

    Tail errors() {
        return errors;
    }

    /// Waits for its end, and ends whatever it left running. Where the thread is interrupted, ends it: asks all its
    /// processes to end, and ends them when the grace is over.
    ///
    /// @return its exit status; 128 and the number of the signal that ended it
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
                break; // it is to end at once
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

    /// Ends the group, and those that have left it: processes that are still known as its children, and those that
    /// have the job's mark in their environment.
    private void endAll(Set<ProcessHandle> children) {
        if (means.setsid() != null) {
            signal("KILL");
        }
        children.forEach(ProcessHandle::destroyForcibly);
        marked().forEach(ProcessHandle::destroyForcibly);
    }

    /// Java cannot signal a group; the shell's own kill can, and is there where there is no program of that name.
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

    /// Linux alone tells the environment of other processes.
    private List<ProcessHandle> marked() {
        var found = new ArrayList<ProcessHandle>();
        if (!Files.isDirectory(PROCESSES.resolve("self"))) {
            return found;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path one : all) {
                if (isMarked(one)) {
                    ProcessHandle.of(Long.parseLong(one.getFileName().toString()))
                            .ifPresent(found::add);
                }
            }
        } catch (IOException e) {
            return found;
        }
        return found;
    }

    private boolean isMarked(Path one) {
        try (var in = Files.newInputStream(one.resolve("environ"))) {
            String variables = new String(in.readNBytes(LONGEST_ENVIRONMENT), StandardCharsets.ISO_8859_1);
            return ("\0" + variables).contains("\0" + mark + "\0");
        } catch (IOException e) {
            return false; // it has ended, or is another user's
        }
    }

    private void join() throws InterruptedException {
        for (Thread reader : readers) {
            reader.join(READERS);
        }
    }
}
