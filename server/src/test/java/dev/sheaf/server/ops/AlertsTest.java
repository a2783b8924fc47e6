package dev.sheaf.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import dev.sheaf.server.testing.SelfSigned;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.webhook.Receiver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Each alert fires when a node has the fault that it is for. The pages are those that the node gave.
@Timeout(120)
@Tag("slow")
@Tag("programs")
class AlertsTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LATER = Duration.ofHours(3);
    private static final String HOOKS = "/v1/organizations/default/webhooks";
    private static final String QUEUES = "/v1/organizations/default/queues";

    private static final String NO_NUMBERS = """
            CREATE TRIGGER no_numbers BEFORE UPDATE OF seq ON event BEGIN SELECT RAISE(ABORT, 'no numbers'); END""";

    @TempDir
    private Path folder;

    private AlertRules rules;

    @BeforeEach
    void look() {
        assumeTrue(AlertRules.areThere(), "promtool is missing");
        rules = new AlertRules(folder);
    }

    private Path data() {
        return folder.resolve("data");
    }

    private static String page(TestApp app) {
        return app.get("/metrics", null).text();
    }

    /// A page of a moment in which no transaction waits, which on a busy machine is not every moment.
    private static String idle(TestApp app) {
        var last = new AtomicReference<String>();
        Eventually.within(SOON, () -> {
            last.set(page(app));
            return last.get().lines().anyMatch("sheaf_database_waiting 0.0"::equals);
        });
        return last.get();
    }

    private static boolean shows(TestApp app, String start) {
        return page(app).lines().anyMatch(line -> line.startsWith(start));
    }

    /// Of a gauge or a counter; 0 where there is none.
    private static double number(TestApp app, String name) {
        return page(app)
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    private static String task(TestApp app, String name) {
        var begun = app.post("/v1/admin/tasks", app.admin(), "{\"task\": \"" + name + "\"}")
                .as(TaskRecord.class);
        return app.ended(begun.id().toString()).as(TaskRecord.class).state();
    }

    @Test
    void noneFiresOnAHealthyNodeUntilItsBackupIsTooOld() throws Exception {
        try (var app = TestApp.start(data(), Map.of("min-free-bytes", "1"))) {
            assertThat(task(app, "backup")).isEqualTo("succeeded");
            String before = idle(app);
            app.push("acme/kit", "1.0.0", "public", "# Kit");
            String after = idle(app);

            assertThat(rules.firing(before, after, LATER)).isEmpty();
            assertThat(rules.firing(before, after, Duration.ofHours(50))).containsExactly("SheafBackupMissing");
        }
    }

    @Test
    void aNodeThatIsGoneOrHasNoBackup() throws Exception {
        String before;
        try (var app = TestApp.start(data())) {
            before = idle(app);
            assertThat(rules.firing(before, before, LATER)).containsExactly("SheafBackupMissing");
        }

        assertThat(rules.firing(before, "", LATER)).contains("SheafDown");
    }

    @Test
    void aBackupThatFails() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        var settings = Map.of("backup-dir", file.resolve("backups").toString());
        try (var app = TestApp.start(data(), settings)) {
            assertThat(task(app, "backup")).isEqualTo("failed");

            assertThat(rules.firing(page(app), page(app), LATER)).contains("SheafTaskFailed", "SheafBackupMissing");
        }
    }

    @Test
    void aCheckThatFindsFaults() throws Exception {
        try (var app = TestApp.start(data())) {
            app.push("acme/kit", "1.0.0", "public", "x".repeat(99_999));
            try (var files = Files.walk(data().resolve("content"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (Files.size(file) == 99_999) {
                        file.toFile().setWritable(true);
                        Files.writeString(file, "y".repeat(99_999));
                    }
                }
            }
            assertThat(task(app, "scrub")).isEqualTo("succeeded");

            assertThat(rules.firing(page(app), page(app), LATER)).contains("SheafFaultsFound");
        }
    }

    @Test
    void aStoreThatIsGone() throws Exception {
        try (var app = TestApp.start(data())) {
            Files.move(data().resolve("content"), folder.resolve("elsewhere"));
            Eventually.within(SOON, () -> shows(app, "sheaf_part_up{part=\"store\"} 0"));

            String before = page(app);
            for (int i = 0; i < 20; i++) {
                assertThat(app.push("acme/kit", "1.0." + i, "public", "# Kit").status())
                        .isEqualTo(503);
            }

            assertThat(rules.firing(before, page(app), LATER)).contains("SheafPartDown", "SheafErrors");
            Files.move(folder.resolve("elsewhere"), data().resolve("content"));
        }
    }

    /// Refusals are what this mode is for. Requests that fail for another reason still count.
    @Test
    void aNodeThatIsReadOnly() throws Exception {
        try (var app = TestApp.start(data())) {
            app.post(QUEUES, app.admin(), "{\"name\": \"reviews\"}");
            app.post(QUEUES + "/reviews/jobs", app.admin(), "{}");
            app.push("acme/kit", "1.0.0", "public", "x".repeat(99_999));
            app.send("PUT", "/v1/admin/mode", app.admin(), "{\"readOnly\": true}");
            Eventually.within(SOON, () -> number(app, "sheaf_jobs{status=\"queued\"}") == 1);
            String before = idle(app);
            for (int i = 1; i < 20; i++) {
                app.push("acme/kit", "1.0." + i, "public", "# Kit");
            }
            String refused = idle(app);
            assertThat(number(app, "sheaf_read_only_refusals_total")).isEqualTo(19);
            assertThat(rules.firing(before, refused, LATER))
                    .containsExactly("SheafBackupMissing")
                    .doesNotContain("SheafErrors", "SheafJobsWait", "SheafReadOnly");
            assertThat(rules.firing(before, refused, Duration.ofHours(25))).contains("SheafReadOnly");

            Files.move(data().resolve("content"), folder.resolve("elsewhere"));
            for (int i = 0; i < 20; i++) {
                assertThat(app.get("/v1/namespaces/acme/bundles/kit/versions/1.0.0:pull", app.admin())
                                .status())
                        .isEqualTo(503);
            }
            assertThat(rules.firing(refused, page(app), LATER)).contains("SheafErrors");
            Files.move(folder.resolve("elsewhere"), data().resolve("content"));
        }
    }

    @Test
    void aDatabaseThatIsDamaged() throws Exception {
        try (var app = TestApp.start(data())) {
            String before = page(app);

            app.database().damage().found("a page");

            assertThat(rules.firing(before, page(app), LATER)).contains("SheafDatabaseDamaged");
        }
    }

    @Test
    void aDatabaseThatIsLocked() throws Exception {
        try (var app = TestApp.start(data());
                var other = DriverManager.getConnection("jdbc:sqlite:" + data().resolve("sheaf.db"));
                var statement = other.createStatement()) {
            String before = page(app);
            var writers = new ArrayList<Thread>();
            statement.execute("BEGIN IMMEDIATE");
            long since = System.nanoTime();
            for (int i = 0; i < 3; i++) {
                String version = "1.0." + i;
                writers.add(Thread.ofVirtual().start(() -> app.push("acme/kit", version, "public", "# Kit")));
            }
            Eventually.within(SOON, () -> number(app, "sheaf_database_waiting") > 0);
            Eventually.within(SOON, () -> number(app, "sheaf_sqlite_writes_waiting") > 0);
            String locked = page(app);
            Eventually.within(
                    SOON,
                    () -> System.nanoTime() - since > Duration.ofMillis(800).toNanos());
            statement.execute("ROLLBACK");
            for (var writer : writers) {
                writer.join();
            }

            assertThat(rules.firing(before, locked, LATER)).contains("SheafDatabaseQueue");
            assertThat(rules.firing(before, page(app), LATER))
                    .contains("SheafSlowDatabase")
                    .doesNotContain("SheafDatabaseQueue");
        }
    }

    @Test
    void aBucketThatIsSlow() throws Exception {
        var bucket = new HashMap<>(Stack.bucket());
        try (var line = new Line(URI.create(Objects.requireNonNull(bucket.get("s3-endpoint"))), Long.MAX_VALUE)) {
            bucket.put("s3-endpoint", "http://127.0.0.1:" + line.port());
            try (var app = TestApp.start(data(), bucket)) {
                String before = page(app);
                line.freeze();
                long since = System.nanoTime();
                var pushed =
                        Thread.ofVirtual().start(() -> app.push("acme/kit", "1.0.0", "public", "x".repeat(99_999)));
                Eventually.within(
                        SOON,
                        () -> System.nanoTime() - since > Duration.ofSeconds(8).toNanos());
                line.thaw();
                pushed.join();

                assertThat(rules.firing(before, page(app), LATER)).contains("SheafSlowStore");
            }
        }
    }

    @Test
    void eventsThatGetNoNumbers() throws Exception {
        var now = new AtomicReference<>(Instant.now());
        try (var app = TestApp.start(data(), now::get, Map.of())) {
            app.database().write(tx -> tx.handle().execute(NO_NUMBERS));
            app.push("acme/kit", "1.0.0", "public", "# Kit");
            now.set(Instant.now().plus(Duration.ofMinutes(5)));
            Eventually.within(SOON, () -> number(app, "sheaf_events_lag_seconds") > 60);

            assertThat(rules.firing(page(app), page(app), LATER)).contains("SheafEventsLag");
        }
    }

    @Test
    void aDiskThatIsNearlyFull() throws Exception {
        long free = folder.toFile().getUsableSpace();
        try (var app = TestApp.start(data(), Map.of("min-free-bytes", Long.toString(free - 1_000_000_000)))) {
            assertThat(rules.firing(page(app), page(app), LATER)).contains("SheafDiskFillsUp");
        }
    }

    @Test
    void aDiskThatIsFilling() throws Exception {
        assertThat(rules.firingWhileTheDiskFills(20_000_000, Duration.ofHours(4)))
                .contains("SheafDiskFillsUp");
    }

    /// A new node writes caches, or an operator moves content to it.
    @Test
    void aDiskThatFillsInTheFirstMinutesOfANodeIsNoAlert() throws Exception {
        assertThat(rules.firingWhileTheDiskFills(20_000_000, Duration.ofMinutes(30)))
                .doesNotContain("SheafDiskFillsUp");
    }

    @Test
    void aCertificateThatEnds() throws Exception {
        var made = SelfSigned.make(folder, "EC", 3);
        var settings = Map.of(
                "tls-certificate",
                Files.writeString(folder.resolve("chain.pem"), made.chain()).toString(),
                "tls-key",
                Files.writeString(folder.resolve("key.pem"), made.secret()).toString());
        try (var app = TestApp.start(data(), settings);
                var client = HttpClient.newBuilder().sslContext(made.trusting()).build()) {
            var request = HttpRequest.newBuilder(URI.create("https://" + app.host() + "/metrics"));
            String page = client.send(request.build(), BodyHandlers.ofString()).body();

            assertThat(rules.firing(page, page, LATER)).contains("SheafCertificateEnds");
        }
    }

    @Test
    void aHeapThatIsFull() throws Exception {
        String full = FullHeap.page(data());

        assertThat(rules.firing(full, full, LATER)).as(full).contains("SheafMemory");
    }

    @Test
    void aJobThatNoWorkerTakes() throws Exception {
        try (var app = TestApp.start(data())) {
            app.post(QUEUES, app.admin(), "{\"name\": \"reviews\"}");
            app.post(QUEUES + "/reviews/jobs", app.admin(), "{}");
            Eventually.within(SOON, () -> number(app, "sheaf_jobs{status=\"queued\"}") == 1);
            String waiting = page(app);
            app.post("/v1/runner/jobs:claim", app.admin(), "{\"queue\": \"reviews\"}");
            Eventually.within(SOON, () -> number(app, "sheaf_job_wait_seconds_count") == 1);

            assertThat(rules.firing(waiting, waiting, LATER)).contains("SheafJobsWait");
            assertThat(rules.firing(waiting, page(app), LATER)).doesNotContain("SheafJobsWait");
        }
    }

    @Test
    void eventsThatAreDeliveredLate() throws Exception {
        var settings = Map.of("webhook-http", "true", "webhook-private-addresses", "true");
        var now = new AtomicReference<>(Instant.now());
        try (var receiver = new Receiver();
                var app = TestApp.start(data(), now::get, settings)) {
            app.post(HOOKS, app.admin(), "{\"url\": \"" + receiver.url() + "\", \"eventTypes\": [\"version.*\"]}");
            app.database().write(tx -> tx.handle().execute(NO_NUMBERS));
            app.push("acme/kit", "1.0.0", "public", "# Kit");
            now.set(Instant.now().plus(Duration.ofMinutes(10)));
            String before = page(app);
            app.database().write(tx -> tx.handle().execute("DROP TRIGGER no_numbers"));
            app.push("acme/kit", "1.0.1", "public", "# Kit"); // and all events get their numbers
            Eventually.within(SOON, () -> number(app, "sheaf_webhook_lag_seconds_count") == 2);

            assertThat(rules.firing(before, page(app), LATER)).contains("SheafWebhooksLag");
        }
    }

    @Test
    void workThatNoNodeDoes() throws Exception {
        var now = new AtomicReference<>(Instant.now());
        try (var app = TestApp.start(data(), now::get, Map.of())) {
            Eventually.within(SOON, () -> shows(app, "sheaf_work_lag_seconds{kind=\"gc\"} 0"));
            now.set(Instant.now().plus(Duration.ofHours(2))); // while the node waits as before
            Eventually.within(SOON, () -> number(app, "sheaf_work_lag_seconds{kind=\"gc\"}") > 900);

            assertThat(rules.firing(page(app), page(app), LATER)).contains("SheafWorkLags");
        }
    }

    @Test
    void aCollectorThatFails() throws Exception {
        String failed = "sheaf_recurring_runs_total{result=\"failed\",task=\"gc\"}";
        try (var app = TestApp.start(data(), Map.of("gc-interval", "PT1S"))) {
            app.database().write(tx -> tx.handle().execute("DROP TABLE object_deletion"));
            Eventually.within(SOON, () -> number(app, failed) > 0);
            String before = page(app);
            double count = number(app, failed);
            Eventually.within(SOON, () -> number(app, failed) > count);

            assertThat(rules.firing(before, page(app), LATER)).contains("SheafRecurringTaskFails");
        }
    }

    @Test
    void everyAlertIsHere() throws Exception {
        String tests = Files.readString(Path.of("src/test/java/dev/sheaf/server/ops/AlertsTest.java"));

        for (String alert : AlertRules.names()) {
            assertThat(tests).contains('"' + alert + '"');
        }
    }
}
