package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Upkeep and the audit log, as an administrator runs them.
class AdminCommandsTest extends CommandLineFixture {
    private static final String RUN = """
            {"id": "01900000-0000-7000-8000-000000000009", "task": "gc", "dryRun": %s, "state": "%s", "unit": "links",
             "done": 3, "total": 9, "counts": {"linksRemoved": 1200}, "findingsOmitted": 0,
             "findings": [{"subject": "sha256:ab\\u001b[31m", "reason": "nothing refers to it"}],
             "startedAt": "2026-01-01T00:00:00Z", "startedBy": "key:1", "updatedAt": "2026-01-01T00:00:00Z"}""";

    @Test
    void adminRunsATaskAndTellsWhatItCameTo() {
        answer("/v1/admin/tasks/", 200, RUN.formatted(true, "succeeded"));
        registry.replace(
                "/v1/admin/tasks",
                exchange -> TinyRegistry.send(
                        exchange,
                        exchange.getRequestMethod().equals("POST") ? 201 : 200,
                        RUN.formatted(true, exchange.getRequestMethod().equals("POST") ? "running" : "succeeded")
                                .getBytes(StandardCharsets.UTF_8)));

        var ran = run("admin", "gc", "--dry-run");

        assertThat(ran.status()).isZero();
        assertThat(ran.out())
                .contains("nothing refers to it", "gc, dry run", "links removed", "1,200")
                .doesNotContain("\u001b");
        assertThat(ran.err()).contains("3 of 9 links", "sheaf admin tasks");
    }

    /// It asks for the state now, so it does not wait for a better one; nor has an operator another one to ask.
    @Test
    void healthAsksOnceAndOthersSayHowOftenTheyDid() {
        answer("/v1/admin/", 503, """
                {"status": 503, "code": "service-unavailable", "detail": "the database cannot be reached now"}""");

        var health = run("admin", "health");
        var stats = run("admin", "stats");

        assertThat(health.status()).isEqualTo(ExitCode.NETWORK.status());
        assertThat(registry.requests("/v1/admin/health")).hasSize(1);
        assertThat(health.err())
                .contains("the database cannot be reached now", "the log of the node says why")
                .doesNotContain("operator", "times");
        assertThat(registry.requests("/v1/admin/stats")).hasSize(4);
        assertThat(stats.err()).contains("the request was sent 4 times");
    }

    @Test
    void adminFailsWhereTheTaskFailed() {
        answer("/v1/admin/tasks", 201, RUN.formatted(false, "failed"));

        var failed = run("admin", "gc");
        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.out()).contains("gc, not finished\n").doesNotContain("done");
        assertThat(run("admin", "gc", "--json").out()).contains("\"state\" : \"failed\"");
    }

    /// The registry counts what ends; a user who types another word has changed nothing.
    @Test
    void aTaskThatEndsAccessTellsTheNumbersAndAsksForItsName() {
        answer("/v1/admin/task-kinds", 200, """
                {"data": [{"task": "retire-pepper", "purpose": "Ends keys.", "endsAccess": true,
                           "effects": ["12 keys end at once."]}], "meta": {"nextCursor": null, "hasMore": false}}""");
        answer("/v1/admin/tasks", 201, RUN.formatted(false, "succeeded"));

        var unasked = run("admin", "retire-pepper");
        assertThat(unasked.status()).isEqualTo(2);
        assertThat(unasked.err()).contains("ends the API keys that were not used", "add --yes");
        terminal = true;
        var refused = runWith("retire\n", "admin", "retire-pepper");
        assertThat(refused.status()).isZero();
        assertThat(refused.err()).contains("12 keys end at once.", "Type retire-pepper", "nothing was changed");
        assertThat(registry.requests("/v1/admin/tasks")).isEmpty();

        assertThat(runWith("retire-pepper\n", "admin", "retire-pepper").status())
                .isZero();
        assertThat(run("admin", "retire-pepper", "--yes").status()).isZero();
        assertThat(registry.requests("/v1/admin/tasks")).hasSize(2);
    }

    @Test
    void theSettingOfANodeWinsOverItsMode() {
        answer("/v1/admin/mode", 200, "{\"readOnly\": true, \"setBy\": \"setting\"}");

        var writable = run("admin", "mode", "writable");
        assertThat(writable.status()).isEqualTo(1);
        assertThat(writable.out()).contains("read-only", "setting");
        assertThat(writable.err()).contains("the setting read-only of the node that answered wins");
        assertThat(run("admin", "mode", "read-only").status()).isZero();
        assertThat(run("admin", "mode").status()).isZero();
    }

    @Test
    void aReasonIsNeverIgnored() {
        answer("/v1/admin/mode", 200, "{\"readOnly\": false}");

        var set = run("admin", "mode", "writable", "--reason", "done");
        var shown = run("admin", "mode", "--reason", "moving");
        assertThat(List.of(set, shown)).allSatisfy(refused -> {
            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.err()).contains("--reason");
        });
        assertThat(registry.requests("mode")).isEmpty();
    }

    @Test
    void healthShowsTheModeThatANodeTells() {
        String health = "{\"status\": \"up\", \"parts\": []%s}";
        answer("/v1/admin/health", 200, health.formatted(", \"mode\": {\"readOnly\": true, \"reason\": \"moving\"}"));
        assertThat(run("admin", "health").out()).contains("mode    read-only\n", "reason  moving\n");

        answer("/v1/admin/health", 200, health.formatted(""));
        var older = run("admin", "health");
        assertThat(older.status()).isZero();
        assertThat(older.out()).doesNotContain("mode");
    }

    @Test
    void auditVerifyComparesTheEndThatWasSeen() {
        answer("/v1/admin/tasks", 201, RUN.formatted(false, "succeeded"));
        String hash = "ab".repeat(32);
        answer("/v1/admin/audit-log", 200, """
                {"data": [{"id": "0199d3c4-7a10-7cc0-8000-5d6f6e1c2b3a", "at": "2026-01-01T00:00:00Z",
                           "actor": {"type": "system", "id": null, "name": "system"}, "action": "a", "subject": "b",
                           "outcome": "success", "detail": null, "count": 1, "address": null, "requestId": null,
                           "seq": 7, "hash": "%s"}], "meta": {"nextCursor": null, "hasMore": false}}""".formatted(hash));

        assertThat(run("admin", "audit", "verify").status()).isZero();
        assertThat(run("admin", "audit", "verify", "--expect", "7:" + hash).err())
                .contains("is as expected");
        var other = run("admin", "audit", "verify", "--expect", "7:" + "0".repeat(64));
        assertThat(other.status()).isEqualTo(7);
        assertThat(other.err()).contains("a different entry at 7");
        assertThat(run("admin", "audit", "verify", "--expect", "7").status()).isEqualTo(2);
    }

    @Test
    void auditExportWritesLines(@TempDir Path folder) throws IOException {
        answer("/v1/organizations/acme/audit-log", 200, "{\"id\": 1}\n{\"id\": 2}\n");

        assertThat(run("admin", "audit", "export", "--organization", "acme").out())
                .isEqualTo("{\"id\": 1}\n{\"id\": 2}\n");
        Path file = folder.resolve("log.jsonl");
        assertThat(run("admin", "audit", "export", "--organization", "acme", "-o", file.toString())
                        .status())
                .isZero();
        assertThat(file).hasContent("{\"id\": 1}\n{\"id\": 2}");
    }

    @Test
    void anExportThatBreaksOffLeavesNoFile(@TempDir Path folder) {
        Path file = folder.resolve("log.jsonl");
        registry.replace("/audit-log", exchange -> TinyRegistry.problem(exchange, 401, "unauthorized", "no key"));
        var refused = run("admin", "audit", "export", "-o", file.toString());
        registry.replace(
                "/audit-log",
                exchange -> TinyRegistry.cutOff(exchange, "{\"id\": 1}\n".getBytes(StandardCharsets.UTF_8), 5));
        var broken = run("admin", "audit", "export", "-o", file.toString());
        var nowhere = run(
                "admin",
                "audit",
                "export",
                "-o",
                folder.resolve("none/log.jsonl").toString());

        assertThat(refused.status()).isEqualTo(4);
        assertThat(broken.status()).isEqualTo(9);
        assertThat(broken.err()).contains("broke");
        assertThat(nowhere.status()).isEqualTo(1);
        assertThat(nowhere.err()).contains("cannot write", "does not exist");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void adminShowsTheCounts() {
        answer("/v1/admin/stats", 200, "{\"engine\": \"sqlite\", \"blobs\": 31}");

        assertThat(run("admin", "stats").out()).contains("engine  sqlite\nblobs   31");
    }
}
