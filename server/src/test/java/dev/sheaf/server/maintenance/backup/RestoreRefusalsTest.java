package dev.sheaf.server.maintenance.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Refusals;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Backups whose seal fits, and which this program must not restore all the same: of other versions, or sealed by a
/// node that somebody had in hand. They are refused before anything is written.
class RestoreRefusalsTest extends BackupFixture {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private TestApp app;
    private Path backup;

    @BeforeEach
    void start() {
        app = TestApp.start(folder.resolve("a"));
        app.key("reader", "read");
        backup(app, folder.resolve("backups"));
        backup = latest(folder.resolve("backups"));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    /// A change of a backup.
    interface Edit {
        void of(Path backup, ObjectNode manifest) throws IOException;
    }

    private static ObjectNode keys(ObjectNode manifest) {
        for (var table : manifest.get("tables")) {
            if (table.get("table").stringValue().equals("api_key")) {
                return (ObjectNode) table;
            }
        }
        throw new AssertionError(manifest);
    }

    /// Gives the table of keys other rows.
    private static void rewrite(Path backup, ObjectNode manifest, String from, String to) throws IOException {
        Path file = backup.resolve("tables/api_key.jsonl");
        String before = Files.readString(file);
        String after = before.replace(from, to);
        assertThat(after).isNotEqualTo(before);
        Files.writeString(file, after);
        var listed = (ObjectNode) keys(manifest).get("file");
        listed.put("bytes", Files.size(file));
        listed.put("sha256", Digest.sha256(Files.readAllBytes(file)).hex());
    }

    private static Arguments edit(String what, Edit edit, String refusal) {
        return Arguments.of(Named.of(what, edit), refusal);
    }

    static Stream<Arguments> edits() {
        return Stream.of(
                edit("a newer schema", (at, manifest) -> manifest.put("schema", "99999"), "has schema version 99999"),
                edit(
                        "no schema",
                        (at, manifest) -> manifest.put("schema", "new"),
                        "the schema version of the backup is not a number"),
                edit("another form", (at, manifest) -> manifest.put("format", 2), "has the format 2"),
                edit(
                        "another table",
                        (at, manifest) -> keys(manifest).put("table", "hues"),
                        "does not know the table hues"),
                edit(
                        "another column",
                        (at, manifest) -> rewrite(at, manifest, "{\"id\":", "{\"hue\":1,\"id\":"),
                        "columns that the table api_key does not have"),
                edit(
                        "a row that is none",
                        (at, manifest) -> rewrite(at, manifest, "{\"id\":", "{\"id\":[],\"name\":"),
                        "a line that is not a row"),
                edit(
                        "a version that writes to the terminal",
                        (at, manifest) -> manifest.put("format", 2).put("sheaf", "\u001b[2J1.0"),
                        "is damaged"),
                edit("no list of objects", (at, manifest) -> manifest.remove("objects"), "is damaged"),
                edit(
                        "a file without a name",
                        (at, manifest) -> ((ObjectNode) keys(manifest).get("file")).remove("name"),
                        "is damaged"),
                edit(
                        "a name that is no path",
                        (at, manifest) -> ((ObjectNode) keys(manifest).get("file")).put("name", "tables/\0.jsonl"),
                        "names a file outside the backup"),
                edit(
                        "rows without what each has",
                        (at, manifest) -> rewrite(at, manifest, "\"secret_hash\":", "\"hint\":"),
                        "rows of the table api_key that the database refuses"),
                edit(
                        "a file elsewhere",
                        (at, manifest) -> ((ObjectNode) keys(manifest).get("file")).put("name", "../../api_key.jsonl"),
                        "names a file outside the backup"),
                edit(
                        "a manifest without end",
                        (at, manifest) -> manifest.put("engine", "x".repeat(1 << 20)),
                        "is larger than any"));
    }

    @ParameterizedTest
    @MethodSource("edits")
    void whatDoesNotFitIsRefusedAndNothingIsWritten(Edit edit, String refusal) throws Exception {
        Path file = backup.resolve(BackupManifest.NAME);
        byte[] whole = Files.readAllBytes(file);
        byte[] rows = Files.readAllBytes(backup.resolve("tables/api_key.jsonl"));
        var manifest = (ObjectNode) JSON.readTree(whole);
        edit.of(backup, manifest);
        seal(JSON.writeValueAsBytes(manifest));
        var next = app.next(Stack.SQLITE, folder.resolve("b"));

        var refused = Refusals.refusal(Problem.Conflict.class, () -> restore(next, backup));

        assertThat(refused.detail()).contains(refusal);
        seal(whole);
        Files.write(backup.resolve("tables/api_key.jsonl"), rows);
        assertThatCode(() -> restore(next, backup)).doesNotThrowAnyException();
    }

    private void seal(byte[] manifest) throws IOException {
        Files.write(backup.resolve(BackupManifest.NAME), manifest);
        Files.writeString(backup.resolve(BackupManifest.SEAL), BackupManifest.seal(master(app), manifest));
    }

    /// Who believes a backup without a seal still gets keys that work, or none.
    @Test
    void anotherMasterKeyIsNoticedWithoutTheSealToo() throws Exception {
        Map<String, String> other = app.next(Stack.SQLITE, folder.resolve("b"));
        other.put("master-key", MasterSecret.generate());
        Files.delete(backup.resolve(BackupManifest.SEAL));

        offline(
                other,
                (database, store, master) -> assertThatThrownBy(() -> new Restore(
                                        opened(database, store), master, backup, new Restore.Leniency(false, true))
                                .run(new TaskRun(false)))
                        .hasMessageContaining("the backup was made with a different master key"));
    }

    @Test
    void twoBackupsAreNotWrittenIntoOneFolder() throws Exception {
        Path target = folder.resolve("backups");
        try (var _ = new BackupFolder(target).lock()) {
            assertThatThrownBy(() -> backup(app, target)).hasMessageContaining("another backup is being written");
        }
        assertThat(latest(target)).isEqualTo(backup);
    }
}
