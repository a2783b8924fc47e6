package dev.sheaf.server.soak;

import dev.sheaf.server.config.Setting;
import dev.sheaf.server.testing.Debris;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// `make soak`: clients push, move, mount, delete and pull without a pause while the collector runs all the time
/// with short leases. At the end nothing has failed, everything that must be there verifies, nothing else is left,
/// and the server takes no more memory than before.
final class Soak {
    private static final int MINUTES = Integer.parseInt(System.getenv().getOrDefault("SOAK_MINUTES", "10"));
    private static final int CLIENTS = Integer.parseInt(System.getenv().getOrDefault("SOAK_CLIENTS", "6"));
    private static final double MOST_GROWTH = 1.15;
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final List<String> HEAP = List.of("-Xms256m", "-Xmx256m", "-XX:TieredStopAtLevel=4");
    // Those of them that the server knows.
    private static final List<String> SHORT = List.of(
            "push-lease=" + LEASE,
            "gc-interval=PT1S",
            "deletion-grace=" + GRACE,
            "untagged-retention=" + LEASE,
            "min-free-bytes=0");

    private final Path data;
    private final SoakFigures figures = new SoakFigures();
    private final List<String> urls = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);

    private Soak(Path data) {
        this.data = data;
    }

    public static void main(String[] arguments) throws Exception {
        var folder = Files.createTempDirectory("sheaf-soak");
        System.out.println("soak of " + MINUTES + " minutes with " + CLIENTS + " clients in " + folder);
        boolean passed = new Soak(folder.resolve("data")).run();
        System.out.println(passed ? "PASSED" : "FAILED; the data is in " + folder);
        System.exit(passed ? 0 : 1);
    }

    private boolean run() throws Exception {
        var flags = new ArrayList<>(List.of("--log-level", "warn"));
        for (String pair : SHORT) {
            String name = pair.substring(0, pair.indexOf('='));
            if (Setting.find(name).isPresent()) {
                flags.add("--" + pair);
            } else {
                System.out.println("without " + name + ", which this server does not have");
            }
        }
        List<SoakWorker> workers;
        List<String> left;
        try (var server = ServerProcess.start(data, HEAP, flags)) {
            workers = workers(server);
            work(server, workers);
            workers.forEach(SoakWorker::verifyAll);
            left = settle();
        }
        try (var again = ServerProcess.start(data, HEAP, flags)) { // after a kill -9
            urls.set(0, again.url());
            workers.forEach(SoakWorker::verifyAll);
        }
        System.out.println(figures.table());
        left.forEach(one -> System.out.println("LEFT " + one));
        System.out.printf("growth of memory: %.3f, at most %.2f%n", figures.growth(), MOST_GROWTH);
        return figures.failures().isEmpty() && left.isEmpty() && figures.growth() <= MOST_GROWTH;
    }

    private List<SoakWorker> workers(ServerProcess server) throws IOException {
        urls.add(server.url());
        var workers = new ArrayList<SoakWorker>();
        var client = HttpClient.newHttpClient();
        for (int i = 0; i < CLIENTS; i++) {
            workers.add(new SoakWorker(i, CLIENTS, urls, server.adminKey().expose(), figures, client));
        }
        return workers;
    }

    private void work(ServerProcess server, List<SoakWorker> workers) throws Exception {
        var end = Instant.now().plus(Duration.ofMinutes(MINUTES));
        var threads = workers.stream().map(Thread.ofVirtual()::start).toList();
        while (Instant.now().isBefore(end) && server.isAlive()) {
            over.await(5, TimeUnit.SECONDS);
            figures.sample(List.of(server.pid()));
            if (figures.samples() % 12 == 0) {
                System.out.println(Instant.now() + " " + figures.failures().size() + " failures");
            }
        }
        workers.forEach(SoakWorker::stop);
        for (var thread : threads) {
            thread.join();
        }
    }

    /// What does not fit together once every lease and every grace has passed.
    private List<String> settle() throws Exception {
        var until = Instant.now().plus(LEASE.multipliedBy(2)).plus(GRACE).plusSeconds(60);
        var left = Arrays.asList("nothing was looked at");
        while (!left.isEmpty() && Instant.now().isBefore(until)) {
            over.await(5, TimeUnit.SECONDS);
            left = new ArrayList<>(Debris.in(data));
            left.addAll(Debris.waiting(data));
        }
        return left;
    }
}
