package dev.sheaf.server.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// `make faults`: lets one fault after the other happen to nodes under load and prints what clients saw.
final class FaultRun {
    private static final int RATE = number("FAULTS_RATE", 200);
    private static final Duration BEFORE = Duration.ofSeconds(number("FAULTS_BEFORE", 10));
    private static final Duration AFTER = Duration.ofSeconds(number("FAULTS_AFTER", 40));

    private static final Fault WARM =
            new Fault("warm-up", Cluster.Kind.LINES, Duration.ZERO, cluster -> {}, cluster -> {});

    private final Cluster cluster;
    private final int rate;
    private int count;

    FaultRun(Cluster cluster, int rate) {
        this.cluster = cluster;
        this.rate = rate;
    }

    private static int number(String variable, int otherwise) {
        return Integer.parseInt(System.getenv().getOrDefault(variable, "" + otherwise));
    }

    public static void main(String[] arguments) throws Exception {
        String only = System.getenv().getOrDefault("FAULTS_ONLY", "");
        var rows = new ArrayList<String>();
        boolean isWell = true;
        for (var kind : Cluster.Kind.values()) {
            var faults = Faults.all().stream()
                    .filter(fault -> fault.kind() == kind && fault.name().matches(".*(" + only + ").*"))
                    .toList();
            if (faults.isEmpty()) {
                continue;
            }
            var folder = Files.createTempDirectory("sheaf-faults");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            System.out.println(kind + " in " + folder);
            try (var cluster = new Cluster(folder, kind, Map.of())) {
                var stop = new Thread(() -> closed(cluster)); // where this is interrupted
                Runtime.getRuntime().addShutdownHook(stop);
                var run = new FaultRun(cluster, RATE);
                new FaultRun(cluster, RATE / 4).measure(WARM, AFTER, Duration.ZERO);
                for (var fault : faults) {
                    var measured = run.measure(fault, BEFORE, AFTER);
                    isWell &= measured.lost().isEmpty();
                    rows.add(measured.row());
                }
                Runtime.getRuntime().removeShutdownHook(stop);
            }
        }
        System.out.println("\n" + Measured.HEAD + String.join("\n", rows) + "\n");
        System.out.println(isWell ? "PASSED" : "FAILED");
        System.exit(isWell ? 0 : 1);
    }

    private static void closed(Cluster cluster) {
        try {
            cluster.close();
        } catch (IOException e) {
            System.out.println("cannot be ended: " + e);
        }
    }

    Measured measure(Fault fault, Duration before, Duration after) throws Exception {
        Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
        var written = new Written();
        String run = "r" + System.currentTimeMillis() + "x" + count++;
        System.out.println(Instant.now() + " begins " + fault.name());
        try (var caller = new Caller(cluster.url(), cluster.admin(), outcomes::add)) {
            var load = new MixedLoad(caller, written, run);
            load.prepare();
            outcomes.clear();
            long healed;
            try (var _ = new Pace(load.operations(), rate)) {
                Thread.sleep(before);
                System.out.println(Instant.now() + " " + fault.name());
                fault.begin().on(cluster);
                Thread.sleep(fault.length());
                fault.end().on(cluster);
                healed = System.nanoTime();
                System.out.println(Instant.now() + " it has ended");
                Thread.sleep(after);
            }
            var measured = List.copyOf(outcomes);
            var lost = written.lost(caller);
            var result = new Measured(fault.name(), measured, healed, written.size(), lost);
            System.out.println(result.row());
            result.failures().forEach((what, times) -> System.out.println("  " + times + " x " + what));
            lost.stream().limit(20).forEach(one -> System.out.println("  LOST " + one));
            return result;
        }
    }
}
