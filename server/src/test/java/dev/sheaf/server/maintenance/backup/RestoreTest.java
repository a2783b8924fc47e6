package dev.sheaf.server.maintenance.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.testing.Refusals;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestoreTest extends BackupFixture {
    @Test
    void aDamagedBackupIsRefusedByNameBeforeAnythingIsWritten() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(folder.resolve("a"))) {
            fill(app);
            backup(app, target);
            var next = app.next(Stack.SQLITE, folder.resolve("b"));
            List<Path> files;
            try (var all = Files.walk(target)) {
                files = all.filter(Files::isRegularFile)
                        .filter(file -> !file.endsWith("lock") && file.toFile().length() > 0)
                        .toList();
            }
            assertThat(files).hasSizeGreaterThan(10);
            for (Path file : files) {
                assertRefused(next, target, file);
            }
            offline(next, (database, store, master) -> {
                assertThat(Restore.isUnfinished(database)).isFalse();
                var look = new TaskRun(true);
                new Restore(opened(database, store), master, latest(target), Restore.Leniency.NONE).run(look);
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

    private void assertRefused(Map<String, String> next, Path target, Path file) throws IOException {
        var whole = Files.readAllBytes(file);
        var flipped = whole.clone();
        flipped[file.endsWith("backup.json") ? 0 : random.nextInt(whole.length)] ^= 1;
        Files.write(file, flipped);

        var refused = Refusals.refusal(Problem.Conflict.class, () -> restore(next, latest(target)));

        assertThat(refused.detail())
                .as("seed %d", seed)
                .contains(file.getFileName().toString());
        Files.write(file, whole);
    }

    /// Who can write to the folder can make each hash anew, but not the seal.
    @Test
    void aBackupThatSomebodyChangedIsRefused() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(folder.resolve("a"))) {
            app.key("reader", "read");
            backup(app, target);
            Path keys = latest(target).resolve("tables/api_key.jsonl");
            Path manifest = latest(target).resolve("backup.json");
            String before = Digest.sha256(Files.readAllBytes(keys)).hex();
            String rows = Files.readString(keys);
            Files.writeString(keys, rows.replace("\"scopes\":\"read\"", "\"scopes\":\"admi\""));
            assertThat(keys).content().isNotEqualTo(rows);
            String text = Files.readString(manifest);
            Files.writeString(
                    manifest,
                    text.replace(before, Digest.sha256(Files.readAllBytes(keys)).hex()));
            assertThat(manifest).content().isNotEqualTo(text);
            var next = app.next(Stack.SQLITE, folder.resolve("b"));

            assertThatThrownBy(() -> restore(next, latest(target))).hasMessageContaining("was changed after");

            Files.delete(latest(target).resolve("backup.json.seal"));
            assertThatThrownBy(() -> restore(next, latest(target)))
                    .hasMessageContainingAll("another person may have written", "--unsealed");
        }
    }

    /// Checking all objects takes long, and rows are read again after it.
    @Test
    void aBackupThatSomebodyChangesAfterTheCheckIsRefused() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(folder.resolve("a"))) {
            app.key("reader", "read");
            backup(app, target);
            Path keys = latest(target).resolve("tables/api_key.jsonl");
            String rows = Files.readString(keys);

            offline(app.next(Stack.SQLITE, folder.resolve("b")), (database, store, master) -> {
                var changing = new Changing(
                        opened(database, store),
                        () -> Files.writeString(keys, rows.replace("\"scopes\":\"read\"", "\"scopes\":\"admi\"")));

                var refused = Refusals.refusal(
                        Problem.Conflict.class,
                        () -> new Restore(changing, master, latest(target), Restore.Leniency.NONE)
                                .run(new TaskRun(false)));

                assertThat(keys).content().isNotEqualTo(rows);
                assertThat(refused.detail()).contains("api_key.jsonl was changed during the restore");
                assertThat(Restore.isUnfinished(database)).isTrue();
            });
        }
    }

    private interface Change {
        void make() throws IOException;
    }

    /// Somebody changes the backup when the restore begins to write.
    private record Changing(Restore.Target target, Change change) implements Restore.Target {
        @Override
        public Database schema() {
            return target.schema();
        }

        @Override
        public long count(String query) {
            return target.count(query);
        }

        @Override
        public Restore.Destination open() {
            try {
                change.make();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return target.open();
        }
    }

    /// A link in place of a file would have the restore read what its reader may not.
    @Test
    void linksAreNoFilesOfABackup() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(folder.resolve("a"))) {
            backup(app, target);
            Path keys = latest(target).resolve("tables/api_key.jsonl");
            Path moved = Files.move(keys, folder.resolve("moved"));
            Files.createSymbolicLink(keys, moved);
            var next = app.next(Stack.SQLITE, folder.resolve("b"));

            assertThatThrownBy(() -> restore(next, latest(target))).hasMessageContaining("api_key.jsonl is missing");
        }
    }

    @Test
    void linkedDirectoriesAreNoneOfABackup() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(folder.resolve("a"))) {
            app.push("acme/notes", "1.0.0", "public", "x".repeat(100_000)); // a file of its own
            backup(app, target);
            var next = app.next(Stack.SQLITE, folder.resolve("b"));

            Path tables = link(latest(target).resolve("tables"));
            assertThatThrownBy(() -> restore(next, latest(target)))
                    .hasMessageMatching("(?s).*tables/\\w+\\.jsonl is missing.*");
            Files.delete(tables);
            Files.move(folder.resolve("moved"), tables);
            Path objects;
            try (var all = Files.list(target.resolve("objects"))) {
                objects = link(all.findFirst().orElseThrow());
            }
            assertThatThrownBy(() -> restore(next, latest(target)))
                    .hasMessageContaining("objects of the backup are missing");
            Files.delete(objects);
            Files.move(folder.resolve("moved"), objects);

            restore(next, Files.createSymbolicLink(folder.resolve("latest"), latest(target)));
        }
    }

    /// Puts a link in the place of a directory, which is `moved` then.
    private Path link(Path directory) throws IOException {
        return Files.createSymbolicLink(directory, Files.move(directory, folder.resolve("moved")));
    }

    @Test
    void itIsRefusedWhereItDoesNotFit() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(folder.resolve("a"))) {
            backup(app, target);
            var other = app.next(Stack.SQLITE, folder.resolve("b"));
            other.put("master-key", MasterSecret.generate());
            assertThatThrownBy(() -> restore(other, latest(target))).hasMessageContaining("a different master key");
            assertThatThrownBy(() -> new Restore(
                                    opened(app.database(), app.store()),
                                    master(app),
                                    latest(target),
                                    Restore.Leniency.NONE)
                            .run(new TaskRun(false)))
                    .hasMessageContaining("is not empty");
            assertThatThrownBy(() -> restore(app.next(Stack.SQLITE, folder.resolve("c")), target))
                    .hasMessageContaining("not a finished backup");
        }
    }

    @Test
    void aRestoreThatBreaksOffDoesNotServeAndBeginsAnew() throws Exception {
        Path target = folder.resolve("backups");
        try (var app = TestApp.start(folder.resolve("a"))) {
            fill(app);
            var pulled = pulled(app);
            backup(app, target);
            for (var stack : Stack.values()) {
                var next = app.next(stack, folder.resolve("b" + stack));
                offline(
                        next,
                        (database, store, master) -> assertThatThrownBy(() -> new Restore(
                                                opened(database, failing(store, "complete", 2)),
                                                master,
                                                latest(target),
                                                Restore.Leniency.NONE)
                                        .run(new TaskRun(false)))
                                .hasMessageContaining("the blob store failed"));

                assertThatThrownBy(() -> app.startOn(next))
                        .isInstanceOfSatisfying(
                                StartException.class,
                                e -> assertThat(e.exit()).isEqualTo(ServerExit.RESTORE_UNFINISHED));

                restore(next, latest(target));
                try (var restored = app.startOn(next)) {
                    assertThat(pulled(restored)).isEqualTo(pulled);
                }
            }
        }
    }
}
