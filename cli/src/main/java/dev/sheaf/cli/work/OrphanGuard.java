package dev.sheaf.cli.work;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ends the commands of a killed worker, which would otherwise continue while another worker does the same
/// jobs. It is a shell that reads process groups from a pipe until the worker is gone. A command that was
/// started but not yet reported is recognized by its environment, if the system shows that (Linux).
/// Thread-safe.
final class OrphanGuard implements AutoCloseable {
    private static final String SCRIPT = """
            while read -r what group; do
              [ "$what" != end ] || exit 0
              rest=
              for one in $all; do [ "$one" = "$group" ] || rest="$rest $one"; done
              if [ "$what" = add ]; then all="$rest $group"; else all=$rest; fi
            done
            for one in $all; do kill -s KILL -- "-$one" 2>/dev/null; done
            for turn in 1 2; do
              for one in /proc/[0-9]*; do
                if tr '\\0' '\\n' 2>/dev/null <"$one/environ" | grep -qF -- "SHEAF_JOB_FILE=$1/"; then
                  kill -s KILL "${one#/proc/}" 2>/dev/null
                fi
              done 2>/dev/null
              sleep 1
            done
            rm -rf -- "$1"/*-* && rm -rf -- "$1" # the lock last
            """;

    private final @Nullable Process process;
    private final @Nullable OutputStream pipe;

    private OrphanGuard(@Nullable Process process) {
        this.process = process;
        this.pipe = process == null ? null : process.getOutputStream();
    }

    /// @param setsid the program of that name
    /// @param folder a folder to delete, too
    static OrphanGuard start(Path setsid, Path folder) {
        var builder = new ProcessBuilder(
                List.of(setsid.toString(), "/bin/sh", "-c", SCRIPT, "sheaf-guard", folder.toString()));
        builder.environment().keySet().removeIf(name -> name.startsWith("SHEAF_"));
        try {
            return new OrphanGuard(builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            return new OrphanGuard(null);
        }
    }

    /// Returns a guard that does nothing, for systems without groups of processes.
    static OrphanGuard none() {
        return new OrphanGuard(null);
    }

    void add(long group) {
        say("add " + group);
    }

    void remove(long group) {
        say("remove " + group);
    }

    private synchronized void say(String line) {
        if (pipe == null) {
            return;
        }
        try {
            pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            // the guard was killed; the commands continue without it
        }
    }

    @Override
    public void close() {
        if (process == null || pipe == null) {
            return;
        }
        say("end");
        try {
            pipe.close();
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
