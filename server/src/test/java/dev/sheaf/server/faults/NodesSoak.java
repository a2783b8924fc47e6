package dev.sheaf.server.faults;

import com.sun.net.httpserver.HttpServer;
import dev.sheaf.server.faults.Caller.Call;
import dev.sheaf.server.soak.SoakFigures;
import dev.sheaf.server.testing.V2Scenario;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// `make soak-nodes`: three nodes under a mixed load with deletions, abandoned uploads, the collector and a webhook.
/// At the end no request has failed, everything acknowledged verifies, the bucket has no orphans, the tables are within
/// their retention, and the memory does not grow. It goes on in the folder of a run before.
final class NodesSoak {
    private static final int MINUTES = number("SOAK_MINUTES", 60);
    private static final int RATE = number("SOAK_RATE", 60);
    private static final Path FOLDER = Path.of(System.getenv().getOrDefault("SOAK_FOLDER", "target/soak-nodes"))
            .toAbsolutePath();
    private static final Duration SAMPLE = Duration.ofSeconds(10);
    private static final double MOST_GROWTH = 1.15;
    private static final Map<String, String> SHORT = Map.of(
            "push-lease", "PT2M",
            "gc-interval", "PT10S",
            "deletion-grace", "PT1M",
            "untagged-retention", "PT2M",
            "sweep-interval", "PT5M",
            "event-retention", "PT1H",
            "webhook-http", "true",
            "webhook-private-addresses", "true");
    /// The longest lease and grace, a round of the collector, and time for what is left.
    private static final Duration SETTLE = Duration.ofMinutes(5);

    private final SoakFigures figures = new SoakFigures();
    private final Map<String, LongAdder> results = new ConcurrentSkipListMap<>();
    private final AtomicLong longest = new AtomicLong();
    private final AtomicLong delivered = new AtomicLong();
    private final Written written = new Written();
    private final List<String> faults = new ArrayList<>();
    private final Properties state = new Properties();

    private static int number(String variable, int otherwise) {
        return Integer.parseInt(System.getenv().getOrDefault(variable, "" + otherwise));
    }

    public static void main(String[] arguments) throws Exception {
        boolean isWell = new NodesSoak().run();
        System.out.println(isWell ? "PASSED" : "FAILED");
        System.exit(isWell ? 0 : 1);
    }

    private boolean run() throws Exception {
        load();
        System.out.printf(
                "soak of %d minutes in all, of which %d are over, with %d requests a second, in %s%n",
                MINUTES, number("seconds") / 60, RATE, FOLDER);
        var receiver = receiver();
        var settings = new HashMap<>(SHORT);
        try (var cluster = new Cluster(FOLDER, Cluster.Kind.LINES, settings);
                var caller = new Caller(cluster.url(), cluster.admin(), this::count)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> closed(cluster)));
            if (number("receiver-port") == 0) {
                webhook(cluster, receiver.getAddress().getPort());
            }
            work(cluster, caller);
            written.lost(caller).forEach(one -> faults.add("LOST " + one));
            faults.addAll(new Leftovers(cluster).settle(SETTLE));
        } finally {
            receiver.stop(0);
        }
        report();
        return faults.isEmpty();
    }

    private static void closed(Cluster cluster) {
        try {
            cluster.close();
        } catch (IOException e) {
            System.out.println("cannot be ended: " + e);
        }
    }

    private void load() throws IOException {
        Files.createDirectories(FOLDER);
        if (Files.exists(FOLDER.resolve("soak.properties"))) {
            try (var in = Files.newBufferedReader(FOLDER.resolve("soak.properties"))) {
                state.load(in);
            }
            written.load(FOLDER.resolve("written"));
        }
    }

    private int number(String name) {
        return Integer.parseInt(state.getProperty(name, "0"));
    }

    private void save(int seconds) throws IOException {
        written.save(FOLDER.resolve("written"));
        state.setProperty("seconds", "" + seconds);
        results.forEach((result, count) ->
                state.setProperty("result " + result, "" + (number("before " + result) + count.sum())));
        try (var out = Files.newBufferedWriter(FOLDER.resolve("soak.properties"))) {
            state.store(out, null);
        }
    }

    /// Receives what the webhook sends, at the port of the run before.
    private HttpServer receiver() throws IOException {
        int port = number("receiver-port");
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
                delivered.incrementAndGet();
                exchange.sendResponseHeaders(204, -1);
            }
        });
        server.start();
        return server;
    }

    private void webhook(Cluster cluster, int port) {
        state.setProperty("receiver-port", "" + port);
        var body = "{\"url\": \"http://127.0.0.1:" + port + "/\", \"eventTypes\": [\"version.*\"]}";
        try (var caller = new Caller(cluster.url(), cluster.admin(), outcome -> {})) {
            caller.send(
                    System.nanoTime(),
                    Call.write(
                            "webhook",
                            "POST",
                            "/v1/organizations/default/webhooks",
                            V2Scenario.utf8(body),
                            "application/json"));
        }
    }

    private void count(Outcome outcome) {
        longest.accumulateAndGet(outcome.nanos(), Math::max);
        results.computeIfAbsent(
                        outcome.isWell() ? "ok" : outcome.kind() + ": " + outcome.result(), r -> new LongAdder())
                .increment();
        if (!outcome.isWell()) {
            System.out.println(Instant.now() + " " + outcome);
        }
    }

    private void work(Cluster cluster, Caller caller) throws Exception {
        var load = new MixedLoad(caller, written, "s" + System.currentTimeMillis());
        load.prepare();
        var operations = new ArrayList<>(load.operations());
        operations.addAll(new Deletions(caller, written).operations());
        state.stringPropertyNames().stream()
                .filter(name -> name.startsWith("result "))
                .forEach(name -> state.setProperty("before " + name.substring(7), state.getProperty(name)));
        int before = number("seconds");
        long begin = System.nanoTime();
        try (var _ = new Pace(operations, RATE)) {
            int seconds = before;
            while (seconds < MINUTES * 60) {
                Thread.sleep(SAMPLE);
                seconds = before + (int) ((System.nanoTime() - begin) / 1_000_000_000);
                figures.sample(cluster.pids());
                if (figures.samples() % 6 == 0) {
                    System.out.println(Instant.now() + " " + seconds / 60 + " min " + results + " longest "
                            + longest.get() / 1_000_000 + " ms, delivered " + delivered + ", kept " + written.size());
                    save(seconds);
                }
            }
        }
        save(MINUTES * 60);
    }

    private void report() {
        state.stringPropertyNames().stream()
                .sorted()
                .filter(name -> name.startsWith("result "))
                .forEach(name -> {
                    System.out.println(name + ": " + state.getProperty(name));
                    if (!name.equals("result ok")) {
                        faults.add(name);
                    }
                });
        if (figures.growth() > MOST_GROWTH) {
            faults.add("memory grows by " + figures.growth());
        }
        System.out.printf(
                "longest wait: %d ms; delivered to the webhook: %d; acknowledged and kept: %d%n",
                longest.get() / 1_000_000, delivered.get(), written.size());
        System.out.printf(
                "resident memory of three nodes, MiB, by thirds: %d, %d, %d%n",
                figures.third(0), figures.third(1), figures.third(2));
        faults.forEach(one -> System.out.println("FAULT " + one));
    }
}
