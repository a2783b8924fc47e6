package dev.sheaf.server.testing.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Makes a system call of one thread of a running process fail, or kills the process in its stead (strace,
/// "Tampering").
public final class Strace implements AutoCloseable {
    private final Process strace;
    private final Path trace;

    /// What happens at the call.
    public enum Fault {
        /// The process dies before the call.
        KILL("signal=KILL"),
        /// The call does nothing and says that the disk is full.
        FULL("error=ENOSPC"),
        /// The call does nothing and says that the disk is broken.
        BROKEN("error=EIO"),
        /// Nothing: the calls are only counted.
        NONE("");

        private final String words;

        Fault(String words) {
            this.words = words;
        }
    }

    private Strace(Process strace, Path trace) {
        this.strace = strace;
        this.trace = trace;
    }

    /// Why strace cannot be used here; empty where it can.
    public static Optional<String> missing() {
        try {
            var probe = new ProcessBuilder("strace", "-o", "/dev/null", "true")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return probe.waitFor() == 0 ? Optional.empty() : Optional.of("strace may not trace here: " + output);
        } catch (IOException e) {
            return Optional.of("strace is not installed");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Waits for the calls of a thread, from when this returns.
    ///
    /// @param call its name, such as `fsync`
    /// @param when which of the calls is struck: `3` for the third, `3+` for the third and all that follow
    public static Strace attach(long thread, String call, Fault fault, String when) throws IOException {
        var trace = Files.createTempFile("strace", ".txt");
        String injection = fault == Fault.NONE ? "" : ":" + fault.words + ":when=" + when;
        var command = List.of(
                "strace",
                "-o",
                trace.toString(),
                "-e",
                "trace=" + call,
                "-e",
                fault == Fault.NONE ? "signal=none" : "inject=" + call + injection,
                "-p",
                Long.toString(thread));
        var strace = new ProcessBuilder(command).start();
        var said = new BufferedReader(new InputStreamReader(strace.getErrorStream(), StandardCharsets.UTF_8));
        String first = said.readLine();
        if (first == null || !first.contains("attached")) {
            strace.destroyForcibly();
            throw new IllegalStateException("strace did not attach: " + first);
        }
        return new Strace(strace, trace);
    }

    /// How many calls the thread made so far.
    public int count() throws IOException {
        return (int) Files.readAllLines(trace, StandardCharsets.ISO_8859_1).stream()
                .filter(line -> line.contains("("))
                .count();
    }

    /// Lets the thread go.
    @Override
    public void close() throws IOException {
        strace.destroy();
        try {
            if (!strace.waitFor(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("strace does not let go");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            strace.destroyForcibly();
            Files.deleteIfExists(trace);
        }
    }
}
