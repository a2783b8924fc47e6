package dev.sheaf.server.maintenance.fsck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.server.bundle.tag.TagCheck;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Stack.class)
@SuppressWarnings("NullAway.Init") // set before each test
class FsckTest {
    @Parameter
    private Stack stack;

    @TempDir
    private Path folder;

    private TestApp app;

    @BeforeEach
    void start() {
        app = TestApp.start(stack, folder);
        for (int i = 0; i < 3; i++) {
            var pushed = app.push("acme/kit", "1." + i + ".0+build." + i, "private", (i + "x").repeat(30_000));
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        }
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private Fsck fsck() {
        var tags = new TagCheck(app.database(), new Repositories(app.database()), new Tags(app.database()));
        return new Fsck(app.database(), app.store(), tags, new QuotaCheck(app.database(), Quota.NONE));
    }

    private TaskRun.Report run(boolean dryRun) {
        var run = new TaskRun(dryRun);
        fsck().run(run);
        return run.report();
    }

    private void sql(String statement) {
        app.database().write(tx -> {
            if (tx.dialect() == SqlDialect.POSTGRES) { // or foreign keys would not let it happen
                tx.handle().execute("SET LOCAL session_replication_role = replica");
            }
            return tx.handle().createUpdate(statement).execute();
        });
    }

    /// What a dry run finds and leaves as it is, and then another run puts right or not.
    private void assertFound(String subject, String reason, boolean isRepaired) {
        assertThat(run(true).findings()).singleElement().satisfies(found -> {
            assertThat(found.subject()).contains(subject);
            assertThat(found.reason()).contains(reason);
        });
        assertThat(run(false).findings())
                .singleElement()
                .satisfies(found -> assertThat(found.subject()).contains(subject));
        assertThat(run(false).findings()).hasSize(isRepaired ? 0 : 1);
    }

    @Test
    void findsNothingWhereNothingIsWrong() {
        var report = run(false);

        assertThat(report.findings()).isEmpty();
        assertThat(report.counts())
                .containsEntry("objects", 3L)
                .containsEntry("bundles", 1L)
                .containsEntry("waitingForPush", 0L);
        assertThat(fsck().start(true).findings()).isEmpty();
    }

    @Test
    void smallContentThatIsMissing() {
        sql("DELETE FROM blob_content WHERE blob_id = (SELECT min(blob_id) FROM blob_content)");

        assertFound("sha256:", "small content is missing", true);

        assertThat(run(false).counts()).containsEntry("waitingForPush", 1L);
    }

    @Test
    void aManifestWithoutContent() {
        sql("DELETE FROM manifest_content WHERE manifest_id = (SELECT max(manifest_id) FROM manifest_content)");

        assertFound("acme/kit@sha256:", "the manifest's content is missing", true);
    }

    @Test
    void anObjectThatIsMissing() throws IOException {
        var digest = Digest.sha256("1x".repeat(30_000).getBytes(StandardCharsets.US_ASCII));
        app.stored().remove(app.stored(digest).getFirst());

        assertFound(digest.toString(), "missing", true);
    }

    @Test
    void theStartMistrustsWhatIsMissing() throws IOException {
        app.stored().remove(app.stored().names().getFirst());

        assertThat(fsck().start(false).findings())
                .singleElement()
                .satisfies(found -> assertThat(found.reason()).contains("no longer trusted"));
        assertThat(fsck().start(false).findings()).isEmpty();
    }

    /// Else one wrong setting would have everything pushed anew.
    @Test
    void aStoreInWhichNothingIsThereIsTheWrongOne() throws IOException {
        for (int i = 0; i < 7; i++) { // ten objects in all, which are too many to be missing by chance
            app.push("acme/kit", "2." + i + ".0", "private", (i + "y").repeat(30_000));
        }
        for (String name : app.stored().names()) {
            app.stored().remove(name);
        }

        var report = run(false);

        assertThat(report.findings())
                .singleElement()
                .satisfies(found -> assertThat(found.reason()).contains("none of 10 objects exists there"));
        assertThat(report.counts()).containsEntry("waitingForPush", 0L);
    }

    @Test
    void latestThatIsNotAtTheHighestVersion() {
        sql("""
                UPDATE tag SET manifest_id = (SELECT manifest_id FROM version WHERE version LIKE '1.0.0%')
                WHERE name = 'latest'
                """);

        assertFound("acme/kit:latest", "does not point to the highest", true);

        assertThat(app.get("/v1/namespaces/acme/bundles/kit:resolve", app.admin())
                        .json()
                        .at("/version")
                        .stringValue())
                .isEqualTo("1.2.0+build.2");
    }

    @Test
    void aVersionWhoseTagIsMissing() {
        sql("DELETE FROM tag WHERE name LIKE '1.1.0%'");

        assertFound("acme/kit:1.1.0+build.1", "no tag has the version's number", true);

        assertThat(app.get("/v2/acme/kit/manifests/1.1.0_build.1", app.admin()).status())
                .isEqualTo(200);
    }

    @Test
    void aVersionWhoseTagPointsElsewhere() {
        sql("""
                UPDATE tag SET manifest_id = (SELECT manifest_id FROM version WHERE version LIKE '1.0.0%')
                WHERE name LIKE '1.1.0%'
                """);

        assertFound("acme/kit:1.1.0+build.1", "points to another manifest", false);
    }

    @Test
    void contentInUseThatIsQueuedForDeletion() {
        sql("""
                INSERT INTO object_deletion (id, kind, size, due_at, reason)
                SELECT object_id, 'object', size, 9000000000000, 'a mistake' FROM blob WHERE object_id IS NOT NULL LIMIT 1
                """);

        assertFound("sha256:", "queued for deletion", true);
    }

    @Test
    void usageThatIsRecordedWrongly() {
        sql("UPDATE usage_delta SET bytes = bytes + 1 WHERE id = (SELECT max(id) FROM usage_delta)");

        assertFound("organization default", "its recorded usage is", true);
    }

    @Test
    void anAssetWhoseContentIsNotHeld() {
        sql("UPDATE asset SET digest = 'sha256:" + "0".repeat(64) + "' WHERE size = 60000 AND version_id ="
                + " (SELECT id FROM version WHERE version LIKE '1.1.0%')");

        assertFound("SKILL.md", "lacks an asset", false);
    }

    /// As a foreign layer could be, which stood elsewhere.
    @Test
    void anAssetThatStandsElsewhere() {
        sql("UPDATE asset SET media_type = 'application/x.foreign.x', digest = 'sha256:" + "0".repeat(64)
                + "' WHERE version_id = (SELECT id FROM version WHERE version LIKE '1.1.0%')");

        assertFound("acme/kit:1.1.0+build.1, asset SKILL.md", "yank this one", false);
    }

    @Test
    void anAssetOfAnotherLengthThanItsVersionSays() {
        sql("UPDATE asset SET size = 3 WHERE version_id = (SELECT id FROM version WHERE version LIKE '1.1.0%')");

        assertFound(
                "acme/kit:1.1.0+build.1, asset SKILL.md",
                "the length of an asset's content differs from the version's",
                false);
    }

    @Test
    void aVersionWithoutAssets() {
        sql("DELETE FROM asset WHERE version_id = (SELECT id FROM version WHERE version LIKE '1.1.0%')");

        assertFound("acme/kit:1.1.0+build.1", "the version has no asset", false);

        app.post(
                "/v1/namespaces/acme/bundles/kit/versions/1.1.0+build.1:yank",
                app.admin(),
                "{\"reason\": \"it has nothing\"}");
        assertThat(run(false).findings()).as("what was advised is done").isEmpty();
    }

    /// Only new names are refused, so somebody may have one that is an address of the registry now.
    @Test
    void aNamespaceWhoseNameWasReservedLater() {
        sql("INSERT INTO namespace (name, display_name, organization_id, created_at)"
                + " SELECT 'apm', 'apm', organization_id, created_at FROM namespace WHERE name = 'acme'");

        assertFound("namespace apm of organization default", "begin with this name", false);
    }

    @Test
    void rowsThatLeadNowhere() throws Exception {
        if (stack == Stack.SQLITE) {
            try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("sheaf.db"));
                    var statement = connection.createStatement()) { // does not enforce foreign keys
                statement.execute("DELETE FROM link WHERE blob_id = (SELECT max(blob_id) FROM link)");
                statement.execute("DELETE FROM manifest WHERE id = (SELECT manifest_id FROM version"
                        + " WHERE version LIKE '1.0.0%')");
            }
        } else {
            sql("DELETE FROM link WHERE blob_id = (SELECT max(blob_id) FROM link)");
            sql("DELETE FROM manifest WHERE id = (SELECT manifest_id FROM version WHERE version LIKE '1.0.0%')");
        }

        List<String> reasons =
                run(false).findings().stream().map(TaskRun.Finding::reason).toList();

        assertThat(reasons)
                .anyMatch(reason -> reason.contains("a blob that its repository does not have"))
                .anyMatch(reason -> reason.contains("the version's manifest does not exist"))
                .anyMatch(reason -> reason.contains("the tag's manifest does not exist"));
        if (stack == Stack.SQLITE) {
            assertThat(reasons).anyMatch(reason -> reason.contains("a foreign key points to a missing row: version"));
            assertThat(fsck().start(true).findings()).isNotEmpty();
        }
    }

    @Test
    void aDatabaseFileThatIsDamaged() throws Exception {
        assumeTrue(stack == Stack.SQLITE, "PostgreSQL checks its own files");
        var flags = app.next(Stack.SQLITE, folder);
        Path file = folder.resolve("sheaf.db");
        long page = app.database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT rootpage FROM sqlite_master WHERE name = 'version_in_order'")
                        .mapTo(Long.class)
                        .one());
        app.close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(TRUNCATE)"); // or the page may stand there, whole
        }
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[4_000]), (page - 1) * 4_096 + 12);
        }
        app = app.startOn(flags);

        assertThat(run(true).findings()).anyMatch(found -> found.subject().equals("the database"));
    }
}
