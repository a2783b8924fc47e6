package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.program.BucketServer;
import dev.sheaf.server.testing.program.DebianPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node starts again and again beside a stopped, slow or frozen PostgreSQL or bucket, each a process of its own.
/// `-Dsheaf.starts=5` sets how often for each.
@Tag("measure")
@Timeout(3_000)
@Tag("programs")
class StartBesideFaultsTest {
    private static final int STARTS = Integer.getInteger("sheaf.starts", 5);
    private static final Duration SLOW = Duration.ofSeconds(12); // for each piece
    private static final Duration LONGEST = Duration.ofSeconds(200);

    @TempDir
    private Path folder;

    private final Map<String, String> settings = new LinkedHashMap<>();

    /// Something that is done to a server.
    private interface Deed {
        void run() throws Exception;
    }

    @Test
    void everyStartComesUpByItself() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        int databasePort = Ports.free();
        try (var database = DebianPostgres.open(folder.resolve("postgres"), databasePort);
                var bucket = BucketServer.start(Files.createDirectories(folder.resolve("bucket")), Ports.free());
                var toDatabase = line(databasePort);
                var toBucket = line(bucket.port())) {
            settings.putAll(Stack.own(folder.resolve("node")));
            settings.put("master-key", MasterSecret.generate());
            settings.put("database-url", "jdbc:postgresql://127.0.0.1:" + toDatabase.port() + "/sheaf");
            settings.put("database-user", "postgres");
            settings.put("database-password", "unused");
            settings.put("start-wait-seconds", "180");
            settings.put("port", "" + Ports.free());
            settings.putAll(BucketServer.settings(toBucket.port()));
            comesUp("nothing", () -> {}, () -> {});

            int up = 0;
            for (int i = 0; i < STARTS; i++) {
                up += comesUp("database stopped", database::stop, database::start);
                up += comesUp("database slow", () -> toDatabase.slow(SLOW), () -> toDatabase.slow(Duration.ZERO));
                up += comesUp("database frozen", () -> database.signal("STOP"), () -> database.signal("CONT"));
                up += comesUp("bucket stopped", bucket::kill, bucket::again);
                up += comesUp("bucket slow", () -> toBucket.slow(SLOW), () -> toBucket.slow(Duration.ZERO));
                up += comesUp("bucket frozen", () -> signal(bucket, "STOP"), () -> signal(bucket, "CONT"));
            }
            System.out.println(up + " of " + 6 * STARTS + " starts came up by themselves");
            assertThat(up).isEqualTo(6 * STARTS);
        }
    }

    private static Line line(int port) throws IOException {
        return new Line(URI.create("http://127.0.0.1:" + port), Long.MAX_VALUE);
    }

    private static void signal(BucketServer bucket, String name) throws Exception {
        for (long pid : bucket.pids()) {
            new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor();
        }
    }

    /// @return 1 if it came up, else 0
    private int comesUp(String fault, Deed begins, Deed ends) throws Exception {
        var failures = new AtomicInteger();
        var config = Config.load(settings, Map.of());
        begins.run();
        long begin = System.nanoTime();
        var started = CompletableFuture.supplyAsync(() -> StartWait.start(config, port -> {
            try {
                return App.start(config, InstantSource.system(), port);
            } catch (StartException e) {
                failures.incrementAndGet();
                throw e;
            }
        }));
        String waiting = "";
        try (var node = new Requests("http://127.0.0.1:" + settings.get("port"))) {
            if (!fault.equals("nothing")) {
                Eventually.within(LONGEST, () -> failures.get() > 0 && isOpen(node) || started.isDone());
                waiting = node.get("/health/live", null).status() + " "
                        + node.get("/health/ready", null).text().replaceAll(".*\"detail\":\"([^\"]*)\".*", "$1");
            }
            long ended = System.nanoTime();
            ends.run();
            try (var app = started.get(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                long up = System.nanoTime();
                System.out.printf(
                        "%s: %d failed attempts, the first known after %.1f s; up %.1f s after the fault ended; meanwhile"
                                + " %s%n",
                        fault, failures.get(), (ended - begin) / 1e9, (up - ended) / 1e9, waiting);
                return app.port() > 0 && node.get("/health/ready", null).status() == 200 ? 1 : 0;
            }
        } catch (Exception e) {
            System.out.println(fault + ": " + e);
            return 0;
        }
    }

    private static boolean isOpen(Requests node) {
        try {
            return node.get("/health/live", null).status() == 200;
        } catch (UncheckedIOException e) {
            return false; // closed
        }
    }
}
