package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.MasterSecret;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.integrity.Backup;
import dev.sheaf.server.integrity.BackupFolder;
import dev.sheaf.server.integrity.Restore;
import dev.sheaf.server.registry.Scrub;
import dev.sheaf.server.task.TaskRun;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Refusals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class BackupTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @TempDir
    private Path folder;

    // --- what is backed up ---

    private String text(int length) {
        var text = new StringBuilder();
        while (text.length() < length) {
            text.append(Long.toString(random.nextLong() >>> 1, 36)).append(' ');
        }
        return text.substring(0, length);
    }

    /// Two organizations with bundles of all kinds: small and large, public and private, yanked, tagged, signed.
    private void fill(TestApp app) {
        for (int i = 0; i < 6; i++) {
            var pushed = app.push("acme/kit-" + i % 2, "1." + i + ".0", "private", text(i % 3 == 0 ? 60_000 : 300));
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        }
        app.post("/v1/namespaces/acme/bundles/kit-0/versions/1.4.0:yank", app.admin(), """
                {"reason": "wrong"}""");
        app.push("free/open", "2.0.0", "public", "Grüße \\u2028 in \\\"JSON\\\" \\\\ and \\n lines");
        pushBlob(app, "acme/loose", text(100_000).getBytes(StandardCharsets.UTF_8));
        app.key("reader", "read");
    }

    private static boolean isFound(TestApp app) {
        return app.get("/v1/hub/bundles?q=skill.md%20op", null).text().contains("\"slug\":\"open\"");
    }

    private static Digest pushBlob(TestApp app, String repository, byte[] bytes) {
        var digest = Digest.sha256(bytes);
        var path = "/v2/" + repository + "/blobs/uploads/?digest=" + digest;
        var reply = app.send(app.request("POST", path, app.admin(), null)
                .method("POST", BodyPublishers.ofByteArray(bytes))
                .header("Content-Type", "application/octet-stream"));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return digest;
    }

    /// Everything that a client can pull, with what it gets.
    private static Map<String, String> pulled(TestApp app) {
        var pulled = new TreeMap<String, String>();
        var rows = app.database()
                .read(tx -> tx.handle().createQuery("""
                        SELECT r.namespace || '/' || r.name || ' ' || v.version FROM version v
                        JOIN bundle b ON b.id = v.bundle_id JOIN repository r ON r.id = b.repository_id
                        """).mapTo(String.class).list());
        for (String row : rows) {
            var words = row.split("[/ ]");
            String bundle = "/v1/namespaces/" + words[0] + "/bundles/" + words[1];
            var reply = app.get(bundle + "/versions/" + words[2] + ":pull", app.admin());
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            pulled.put(row, reply.json().get("manifest").toString());
            var resolved = app.get(bundle + ":resolve?version=" + words[2], app.admin());
            pulled.put(row + " digest", resolved.json().at("/ociDigest").stringValue());
            var manifest = app.get("/v2/" + words[0] + "/" + words[1] + "/manifests/" + words[2], app.admin());
            pulled.put(row + " manifest", manifest.text());
            assertThat(Digest.sha256(manifest.response().body()))
                    .hasToString(resolved.json().at("/ociDigest").stringValue());
        }
        assertThat(pulled).isNotEmpty();
        return pulled;
    }

    // --- how ---

    private static TaskRun.Report backup(TestApp app, Path target) {
        var run = new TaskRun(false);
        new Backup(app.database(), app.store(), target, 0).run(run);
        return run.report();
    }

    private static Path latest(Path target) {
        return new BackupFolder(target).latest().orElseThrow();
    }

    /// What opens an installation without a node.
    private interface Work {
        void on(Database database, BlobStore store, String fingerprint) throws IOException;
    }

    private static void offline(Map<String, String> flags, Work work) throws Exception {
        var config = Config.load(flags, Map.of());
        try (var dataDir = DataDir.open(config.dataDir());
                var database = Engine.open(config, dataDir, InstantSource.system())) {
            var master = MasterSecret.parse(config.text(Setting.MASTER_KEY));
            work.on(database, Storage.open(config, dataDir), master.fingerprint());
        }
    }

    private static void restore(Map<String, String> flags, Path backup) throws Exception {
        offline(
                flags,
                (database, store, fingerprint) ->
                        new Restore(database, store, fingerprint, backup, false).run(new TaskRun(false)));
    }

    /// The rows of a backup by table, without the names of objects, which every store gives anew.
    private static Map<String, List<String>> rows(Path backup) throws IOException {
        var tables = new TreeMap<String, List<String>>();
        try (var files = Files.list(backup.resolve("tables"))) {
            for (Path file : files.toList()) {
                var rows = new ArrayList<String>();
                for (String line : Files.readAllLines(file)) {
                    var row = (ObjectNode) JSON.readTree(line);
                    rows.add(row.without("object_id").toString());
                }
                tables.put(file.getFileName().toString(), rows);
            }
        }
        return tables;
    }

    @Test
    void anInstallationMovesToPostgresAndABucketAndBack() throws Exception {
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        Path third = folder.resolve("third");
        try (var files = TestApp.start(Databases.Kind.SQLITE, folder.resolve("a"))) {
            fill(files);
            var pulled = pulled(files);
            assertThat(backup(files, first).counts()).containsEntry("objectsCopied", 3L);

            var onBucket = files.next(true, folder.resolve("b"));
            restore(onBucket, latest(first));
            offline(
                    onBucket,
                    (database, store, fingerprint) -> new Backup(database, store, second, 0).run(new TaskRun(false)));
            assertThat(rows(latest(second))).isEqualTo(rows(latest(first)));
            try (var bucket = files.startOn(onBucket)) {
                assertThat(pulled(bucket)).as("seed %d", seed).isEqualTo(pulled);
                assertThat(isFound(bucket)).as("the search is made anew").isTrue();
                assertThat(bucket.push("acme/kit-0", "3.0.0", "private", text(60_000))
                                .status())
                        .as("ids go on")
                        .isEqualTo(201);
                assertThat(bucket.key("another", "read")).isNotEmpty();
                var more = pulled(bucket);
                backup(bucket, third);

                var back = bucket.next(false, folder.resolve("c"));
                restore(back, latest(third));
                try (var files2 = bucket.startOn(back)) {
                    assertThat(pulled(files2)).isEqualTo(more);
                    assertThat(isFound(files2)).as("the search is made anew").isTrue();
                    assertThat(files2.push("acme/new", "1.0.0", "private", text(60_000))
                                    .status())
                            .isEqualTo(201);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Databases.Kind.class)
    void aBackupUnderWayIsOneMoment(Databases.Kind kind) throws Exception {
        var stop = new AtomicBoolean();
        try (var app = TestApp.start(kind, folder.resolve("a"));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            fill(app);
            var pushed = new CountDownLatch(5);
            for (int i = 0; i < 3; i++) {
                int thread = i;
                threads.submit(() -> {
                    for (int n = 0; !stop.get(); n++) {
                        assertThat(app.push(
                                                "acme/busy-" + thread,
                                                "1.0." + n,
                                                "private",
                                                thread + " " + n + " " + "y".repeat(40_000))
                                        .status())
                                .isEqualTo(201);
                        var digest = pushBlob(
                                app,
                                "acme/coming",
                                ("z" + thread + n).repeat(15_000).getBytes(StandardCharsets.US_ASCII));
                        app.send("DELETE", "/v2/acme/coming/blobs/" + digest, app.admin(), null);
                        pushed.countDown();
                    }
                    return null;
                });
            }
            pushed.await();
            var report = backup(app, folder.resolve("backups"));
            stop.set(true);
            assertThat(report.counts()).doesNotContainKey("objectsDamaged");

            var target = app.next(false, folder.resolve("b"));
            restore(target, latest(folder.resolve("backups")));
            offline(target, (database, store, fingerprint) -> {
                var scrub = new TaskRun(true);
                new Scrub(database, store, Duration.ofDays(7)).run(scrub);
                assertThat(scrub.report().findings()).isEmpty();
            });
            try (var restored = app.startOn(target)) {
                assertThat(pulled(restored)).isNotEmpty();
            }
        }
    }

    @Test
    void theNextBackupCostsWhatIsNewAndAnOlderOneStaysGood() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(Databases.Kind.SQLITE, folder.resolve("a"))) {
            fill(app);
            var before = pulled(app);
            backup(app, target);
            Path older = latest(target);
            app.push("acme/kit-0", "9.0.0", "private", text(70_000));

            var look = new TaskRun(true);
            new Backup(app.database(), app.store(), target, 0).run(look);
            assertThat(look.report().counts())
                    .containsEntry("objectsToCopy", 1L)
                    .containsEntry("objectsPresent", 3L);
            assertThat(new BackupFolder(target).backups()).hasSize(1);

            assertThat(backup(app, target).counts())
                    .containsEntry("objectsCopied", 1L)
                    .containsEntry("objectsPresent", 3L);

            var next = app.next(false, folder.resolve("b"));
            restore(next, older);
            try (var restored = app.startOn(next)) {
                assertThat(pulled(restored)).isEqualTo(before);
            }

            var pruning = new TaskRun(false);
            new Backup(app.database(), app.store(), target, 1).run(pruning);
            assertThat(pruning.report().counts())
                    .containsEntry("backupsRemoved", 2L)
                    .containsEntry("objectsRemoved", 0L);
            var last = app.next(false, folder.resolve("c"));
            restore(last, latest(target));
        }
    }

    @Test
    void prunedBackupsTakeTheirContentWithThem() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(Databases.Kind.SQLITE, folder.resolve("a"))) {
            var digest = pushBlob(app, "acme/loose", text(50_000).getBytes(StandardCharsets.UTF_8));
            pushBlob(app, "acme/loose", text(50_000).getBytes(StandardCharsets.UTF_8));
            backup(app, target);
            app.send("DELETE", "/v2/acme/loose/blobs/" + digest, app.admin(), null);

            var run = new TaskRun(false);
            new Backup(app.database(), app.store(), target, 1).run(run);

            assertThat(run.report().counts())
                    .containsEntry("backupsRemoved", 1L)
                    .containsEntry("objectsRemoved", 1L);
            restore(app.next(false, folder.resolve("b")), latest(target));
        }
    }

    @Test
    void aDamagedBackupIsRefusedByNameBeforeAnythingIsWritten() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(Databases.Kind.SQLITE, folder.resolve("a"))) {
            fill(app);
            backup(app, target);
            var next = app.next(false, folder.resolve("b"));
            List<Path> files;
            try (var all = Files.walk(target)) {
                files = all.filter(Files::isRegularFile)
                        .filter(file -> !file.endsWith("lock") && file.toFile().length() > 0)
                        .toList();
            }
            assertThat(files).hasSizeGreaterThan(10);
            for (Path file : files) {
                var whole = Files.readAllBytes(file);
                var flipped = whole.clone();
                flipped[file.endsWith("backup.json") ? 0 : random.nextInt(whole.length)] ^= 1;
                Files.write(file, flipped);

                var refused = Refusals.refusal(Problem.Conflict.class, () -> {
                    try {
                        restore(next, latest(target));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });

                assertThat(refused.detail())
                        .as("seed %d", seed)
                        .contains(file.getFileName().toString());
                Files.write(file, whole);
            }
            offline(next, (database, store, fingerprint) -> {
                assertThat(Restore.isUnfinished(database)).isFalse();
                var look = new TaskRun(true);
                new Restore(database, store, fingerprint, latest(target), false).run(look);
                assertThat(look.report().findings()).hasSize(1);
                assertThat(database.<Long>read(tx -> tx.handle()
                                .createQuery("SELECT count(*) FROM organization")
                                .mapTo(Long.class)
                                .one()))
                        .isZero();
            });
            restore(next, latest(target));
        }
    }

    @Test
    void itIsRefusedWhereItDoesNotFit() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(Databases.Kind.SQLITE, folder.resolve("a"))) {
            backup(app, target);
            var other = app.next(false, folder.resolve("b"));
            other.put("master-key", MasterSecret.generate());
            assertThatThrownBy(() -> restore(other, latest(target))).hasMessageContaining("another master key");
            assertThatThrownBy(() -> new Restore(
                                    app.database(),
                                    app.store(),
                                    MasterSecret.parse(app.master()).fingerprint(),
                                    latest(target),
                                    false)
                            .run(new TaskRun(true)))
                    .hasMessageContaining("is not empty");
            assertThatThrownBy(() -> restore(app.next(false, folder.resolve("c")), target))
                    .hasMessageContaining("no finished backup");
        }
    }

    /// A store that fails at the n-th call of a method.
    private static BlobStore failing(BlobStore store, String method, int n) {
        var calls = new AtomicInteger();
        return (BlobStore) Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method) && calls.incrementAndGet() == n) {
                        throw new Problem.Unavailable("the blob store failed", 5).raise();
                    }
                    try {
                        return called.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aRestoreThatBreaksOffDoesNotServeAndBeginsAnew() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(Databases.Kind.SQLITE, folder.resolve("a"))) {
            fill(app);
            var pulled = pulled(app);
            backup(app, target);
            for (boolean onBucket : new boolean[] {false, true}) {
                var next = app.next(onBucket, folder.resolve("b" + onBucket));
                offline(
                        next,
                        (database, store, fingerprint) -> assertThatThrownBy(() -> new Restore(
                                                database,
                                                failing(store, "complete", 2),
                                                fingerprint,
                                                latest(target),
                                                false)
                                        .run(new TaskRun(false)))
                                .hasMessageContaining("the blob store failed"));

                assertThatThrownBy(() -> app.startOn(next))
                        .isInstanceOfSatisfying(
                                StartException.class, e -> assertThat(e.exit()).isEqualTo(Exit.RESTORE_UNFINISHED));

                restore(next, latest(target));
                try (var restored = app.startOn(next)) {
                    assertThat(pulled(restored)).isEqualTo(pulled);
                }
            }
        }
    }

    @Test
    void aBackupThatBreaksOffLeavesEarlierOnesAlone() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(Databases.Kind.SQLITE, folder.resolve("a"))) {
            fill(app);
            backup(app, target);
            var earlier = latest(target);
            app.push("acme/kit-0", "9.0.0", "private", text(70_000));

            assertThatThrownBy(() -> new Backup(app.database(), failing(app.store(), "open", 1), target, 1)
                            .run(new TaskRun(false)))
                    .hasMessageContaining("the blob store failed");

            assertThat(new BackupFolder(target).backups()).containsExactly(earlier);
            restore(app.next(false, folder.resolve("b")), earlier);
            backup(app, target);
            assertThat(new BackupFolder(target).backups()).hasSize(2);
            try (var entries = Files.list(target)) {
                assertThat(entries).noneMatch(entry -> entry.toString().endsWith(".partial"));
            }
        }
    }

    @Test
    void whatIsDamagedIsLeftOutAndHealsAfterTheRestore() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(Databases.Kind.SQLITE, folder.resolve("a"))) {
            var bytes = text(50_000).getBytes(StandardCharsets.UTF_8);
            var digest = pushBlob(app, "acme/loose", bytes);
            try (var files = Files.walk(app.dataDir().resolve("content/objects"))) {
                Path file = files.filter(Files::isRegularFile).findFirst().orElseThrow();
                Files.write(file, new byte[bytes.length]);
            }

            var report = backup(app, target);

            assertThat(report.counts()).containsEntry("objectsDamaged", 1L).doesNotContainKey("objectsCopied");
            assertThat(report.findings()).extracting(TaskRun.Finding::subject).contains(digest.toString());
            var next = app.next(false, folder.resolve("b"));
            restore(next, latest(target));
            try (var restored = app.startOn(next)) {
                String path = "/v2/acme/loose/blobs/" + digest;
                assertThat(restored.get(path, restored.admin()).status()).isEqualTo(404);
                pushBlob(restored, "acme/loose", bytes);
                assertThat(restored.get(path, restored.admin()).response().body())
                        .isEqualTo(bytes);
            }
        }
    }
}
