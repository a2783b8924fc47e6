package dev.sheaf.cli.work;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// The processes with a mark in their environment, wherever they have gone. Only Linux shows the environment of other
/// processes; elsewhere there are none.
///
/// @param mark a variable with its value
/// @param since when the first of them began
record MarkedProcesses(String mark, Instant since) {
    private static final Path PROCESSES = Path.of("/proc");
    private static final int LONGEST_ENVIRONMENT = 1 << 20;
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final Duration UNCLEAR = Duration.ofMillis(500);
    private static final Duration PAUSE = Duration.ofMillis(2);

    /// While a process begins another program, its environment is empty for a moment.
    private enum Finding {
        MARKED,
        OTHER,
        UNCLEAR
    }

    /// Kills all, and those that they start meanwhile, and waits until they have ended; at most two seconds.
    void kill() {
        long begin = System.nanoTime();
        boolean goesOn = Files.isDirectory(PROCESSES.resolve("self"));
        while (goesOn) {
            var unclear = new ArrayList<Long>();
            var found = find(unclear);
            found.forEach(ProcessHandle::destroyForcibly);
            long took = System.nanoTime() - begin;
            goesOn = !found.isEmpty() && took < LONGEST.toNanos() || !unclear.isEmpty() && took < UNCLEAR.toNanos();
            if (goesOn) {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private List<ProcessHandle> find(List<Long> unclear) {
        var found = new ArrayList<ProcessHandle>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path one : all) {
                long number = Long.parseLong(one.getFileName().toString());
                switch (look(one)) {
                    case MARKED -> ProcessHandle.of(number).ifPresent(found::add);
                    case UNCLEAR -> unclear.add(number);
                    case OTHER -> {}
                }
            }
        } catch (IOException e) {
            return found;
        }
        return found;
    }

    private Finding look(Path one) {
        try (var in = Files.newInputStream(one.resolve("environ"))) {
            String variables = new String(in.readNBytes(LONGEST_ENVIRONMENT), StandardCharsets.ISO_8859_1);
            if (variables.isEmpty()) {
                return isYoung(one) ? Finding.UNCLEAR : Finding.OTHER;
            }
            return ("\0" + variables).contains("\0" + mark + "\0") ? Finding.MARKED : Finding.OTHER;
        } catch (IOException e) {
            return Finding.OTHER; // it has ended, or is another user's
        }
    }

    /// Returns whether it lives and may be one of them. The kernel's own processes have no program.
    private boolean isYoung(Path one) throws IOException {
        Files.readSymbolicLink(one.resolve("exe"));
        return ProcessHandle.of(Long.parseLong(one.getFileName().toString()))
                .flatMap(process -> process.info().startInstant())
                .filter(begin -> !begin.isBefore(since))
                .isPresent();
    }
}
