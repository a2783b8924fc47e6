package dev.sheaf.server.maintenance.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.server.registry.scrub.Scrub;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BackupTest extends BackupFixture {
    private static final String FEEDS = "event_feed.jsonl";

    private static boolean isFound(TestApp app) {
        return app.get("/v1/hub/bundles?q=skill.md%20op", null).text().contains("\"slug\":\"open\"");
    }

    /// The umask of this test is the machine's, as a rule 022: a file that is made without a mode shows it.
    @Test
    void nothingThatIsKeptOrBackedUpCanBeReadByOtherUsers() throws Exception {
        try (var app = TestApp.start(folder.resolve("node"))) {
            fill(app);
            backup(app, folder.resolve("backups"));
            for (Path root : List.of(folder.resolve("node"), folder.resolve("backups"))) {
                try (var all = Files.walk(root)) {
                    assertThat(all.filter(BackupTest::isOpen)).isEmpty();
                }
            }
        }
    }

    private static boolean isOpen(Path file) {
        try {
            return !PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                    .endsWith("------");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anInstallationMovesToPostgresAndABucketAndBack() throws Exception {
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        Path third = folder.resolve("third");
        try (var files = TestApp.start(folder.resolve("a"))) {
            fill(files);
            var pulled = pulled(files);
            assertThat(backup(files, first).counts()).containsEntry("objectsCopied", 3L);

            var onBucket = files.next(Stack.POSTGRES_AND_BUCKET, folder.resolve("b"));
            restore(onBucket, latest(first));
            offline(
                    onBucket,
                    (database, store, master) ->
                            new Backup(database, store, master, second, 0).run(new TaskRun(false)));
            assertSame(rows(latest(first)), rows(latest(second)));
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

                var back = bucket.next(Stack.SQLITE, folder.resolve("c"));
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

    private static void assertSame(Map<String, List<String>> before, Map<String, List<String>> after) {
        assertThat(withoutEpoch(after)).isEqualTo(withoutEpoch(before));
        assertThat(after.get(FEEDS))
                .as("numbers that are given anew are those of another epoch")
                .isNotEqualTo(before.get(FEEDS));
    }

    private static Map<String, List<String>> withoutEpoch(Map<String, List<String>> rows) {
        var others = new TreeMap<>(rows);
        others.replaceAll((name, lines) -> lines.stream().sorted().toList()); // each engine has keys of its own
        others.computeIfPresent(
                "setting.jsonl",
                (name, lines) -> lines.stream()
                        .filter(line -> !line.contains("\"store\"")) // a restored installation has a store of its own
                        .toList());
        others.computeIfPresent(
                FEEDS,
                (name, lines) -> lines.stream()
                        .map(line -> line.replaceAll("\"(epoch|kept_seq)\":-?[0-9]+", "\"$1\":0"))
                        .toList());
        return others;
    }

    private static void pushAndDelete(TestApp app, String unique) {
        var pushed = app.push("acme/busy", "1.0.0-" + unique, "private", unique + "y".repeat(40_000));
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        var digest = pushBlob(app, "acme/coming", (unique + "z".repeat(40_000)).getBytes(StandardCharsets.UTF_8));
        app.send("DELETE", "/v2/acme/coming/blobs/" + digest, app.admin(), null);
        app.post("/v1/admin/tasks", app.admin(), """
                {"task": "gc"}""");
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void aBackupUnderWayIsOneMoment(Stack stack) throws Exception {
        var stop = new AtomicBoolean();
        try (var app = TestApp.start(stack, folder.resolve("a"));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            fill(app);
            var pushed = new CountDownLatch(5);
            for (int i = 0; i < 3; i++) {
                int thread = i;
                threads.submit(() -> {
                    for (int n = 0; !stop.get(); n++) {
                        pushAndDelete(app, thread + "-" + n);
                        pushed.countDown();
                    }
                    return null;
                });
            }
            pushed.await();
            var report = backup(app, folder.resolve("backups"));
            stop.set(true);
            assertThat(report.counts()).doesNotContainKey("objectsDamaged");

            var target = app.next(Stack.SQLITE, folder.resolve("b"));
            restore(target, latest(folder.resolve("backups")));
            offline(target, (database, store, master) -> {
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
        try (var app = TestApp.start(folder.resolve("a"))) {
            fill(app);
            var before = pulled(app);
            backup(app, target);
            Path older = latest(target);
            app.push("acme/kit-0", "9.0.0", "private", text(70_000));

            var look = new TaskRun(true);
            new Backup(app.database(), app.store(), master(app), target, 0).run(look);
            assertThat(look.report().counts())
                    .containsEntry("objectsToCopy", 1L)
                    .containsEntry("objectsPresent", 3L);
            assertThat(new BackupFolder(target).backups()).hasSize(1);

            assertThat(backup(app, target).counts())
                    .containsEntry("objectsCopied", 1L)
                    .containsEntry("objectsPresent", 3L);

            var next = app.next(Stack.SQLITE, folder.resolve("b"));
            restore(next, older);
            try (var restored = app.startOn(next)) {
                assertThat(pulled(restored)).isEqualTo(before);
            }

            var pruning = new TaskRun(false);
            new Backup(app.database(), app.store(), master(app), target, 1).run(pruning);
            assertThat(pruning.report().counts())
                    .containsEntry("backupsRemoved", 2L)
                    .containsEntry("objectsRemoved", 0L);
            var last = app.next(Stack.SQLITE, folder.resolve("c"));
            restore(last, latest(target));
        }
    }

    @Test
    void prunedBackupsTakeTheirContentWithThem() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(folder.resolve("a"))) {
            var digest = pushBlob(app, "acme/loose", text(50_000).getBytes(StandardCharsets.UTF_8));
            pushBlob(app, "acme/loose", text(50_000).getBytes(StandardCharsets.UTF_8));
            backup(app, target);
            app.send("DELETE", "/v2/acme/loose/blobs/" + digest, app.admin(), null);

            var run = new TaskRun(false);
            new Backup(app.database(), app.store(), master(app), target, 1).run(run);

            assertThat(run.report().counts())
                    .containsEntry("backupsRemoved", 1L)
                    .containsEntry("objectsRemoved", 1L);
            restore(app.next(Stack.SQLITE, folder.resolve("b")), latest(target));
        }
    }

    @Test
    void aBackupThatBreaksOffLeavesEarlierOnesAlone() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(folder.resolve("a"))) {
            fill(app);
            backup(app, target);
            var earlier = latest(target);
            app.push("acme/kit-0", "9.0.0", "private", text(70_000));

            assertThatThrownBy(() -> new Backup(app.database(), failing(app.store(), "open", 1), master(app), target, 1)
                            .run(new TaskRun(false)))
                    .hasMessageContaining("the blob store failed");

            assertThat(new BackupFolder(target).backups()).containsExactly(earlier);
            restore(app.next(Stack.SQLITE, folder.resolve("b")), earlier);
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
        try (var app = TestApp.start(folder.resolve("a"))) {
            var bytes = text(50_000).getBytes(StandardCharsets.UTF_8);
            var digest = pushBlob(app, "acme/loose", bytes);
            app.stored().overwrite(app.stored().names().getFirst(), new byte[bytes.length]);

            var report = backup(app, target);

            assertThat(report.counts()).containsEntry("objectsDamaged", 1L).doesNotContainKey("objectsCopied");
            assertThat(report.findings()).extracting(TaskRun.Finding::subject).contains(digest.toString());
            var next = app.next(Stack.SQLITE, folder.resolve("b"));
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
