package dev.sheaf.server.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/// What a soak has seen: how often each thing was done and how long it took, what failed, and the memory of the
/// servers. Thread-safe.
public final class SoakFigures {
    private static final int MOST_FAILURES = 1_000;

    private final Map<String, Queue<Integer>> micros = new ConcurrentSkipListMap<>();
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Long> memory = new ArrayList<>();
    private final List<Long> anonymous = new ArrayList<>();

    void took(String what, long nanos) {
        micros.computeIfAbsent(what, name -> new ConcurrentLinkedQueue<>())
                .add((int) Math.min(nanos / 1_000, Integer.MAX_VALUE));
    }

    void count(String what) {
        counts.computeIfAbsent(what, name -> new LongAdder()).increment();
    }

    void failed(String what) {
        if (failures.size() < MOST_FAILURES) {
            failures.add(what);
        }
        System.out.println("FAILED " + what);
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    /// Takes the resident memory of processes, in kibibytes.
    public synchronized void sample(List<Long> pids) throws IOException {
        long all = 0;
        long own = 0;
        for (long pid : pids) {
            String status = Files.readString(Path.of("/proc", Long.toString(pid), "status"));
            all += kib(status, "VmRSS");
            own += kib(status, "RssAnon");
        }
        memory.add(all);
        anonymous.add(own);
    }

    private static long kib(String status, String line) {
        return Long.parseLong(status.replaceAll("(?s).*" + line + ":\\s*(\\d+) kB.*", "$1"));
    }

    public synchronized int samples() {
        return memory.size();
    }

    /// The mean of a third of the samples, in MiB.
    public synchronized long third(int which) {
        int size = memory.size() / 3;
        return (long) memory.subList(which * size, (which + 1) * size).stream()
                        .mapToLong(Long::longValue)
                        .average()
                        .orElse(0)
                >> 10;
    }

    /// How much more memory the last third takes than the one before.
    public double growth() {
        return (double) third(2) / Math.max(1, third(1));
    }

    synchronized String table() {
        var table =
                new StringBuilder("| what | times | median ms | p99 ms | longest ms |\n|---|---:|---:|---:|---:|\n");
        micros.forEach((what, times) -> {
            var sorted = times.stream().sorted().toList();
            table.append("| %s | %d | %.1f | %.1f | %.1f |\n"
                    .formatted(
                            what,
                            sorted.size(),
                            sorted.get(sorted.size() / 2) / 1e3,
                            sorted.get(sorted.size() * 99 / 100) / 1e3,
                            sorted.getLast() / 1e3));
        });
        new ConcurrentSkipListMap<>(counts)
                .forEach((what, count) -> table.append("%s: %d\n".formatted(what, count.sum())));
        table.append("failures: %d\n".formatted(failures.size()));
        table.append(
                "memory of the servers, MiB, by thirds: %d, %d, %d; samples: ".formatted(third(0), third(1), third(2)));
        memory.forEach(kib -> table.append(kib >> 10).append(' '));
        table.append("\nof them without mapped files, which grow with the database: ");
        anonymous.forEach(kib -> table.append(kib >> 10).append(' '));
        return table.append('\n').toString();
    }
}
