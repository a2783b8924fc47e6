package dev.sheaf.server.maintenance.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.ProblemBody;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Upkeep over HTTP.
class AdminApiTest extends OnEveryStack {
    private static final String TASKS = "/v1/admin/tasks";

    @Test
    void countsWhatTheInstallationHolds() {
        var before = app().get("/v1/admin/stats", app().admin()).json();
        assertThat(app().push("counted/one", "1.0.0", "private", "# One").status())
                .isEqualTo(201);
        var after = app().get("/v1/admin/stats", app().admin()).json();

        assertThat(grown("bundles", before, after)).isEqualTo(1);
        assertThat(grown("versions", before, after)).isEqualTo(1);
        assertThat(grown("manifests", before, after)).isEqualTo(1);
        assertThat(grown("blobBytes", before, after)).isPositive();
        assertThat(after.get("engine").stringValue()).isIn("sqlite", "postgresql");
    }

    private static long grown(String name, JsonNode before, JsonNode after) {
        return after.get(name).longValue() - before.get(name).longValue();
    }

    @Test
    void runsATaskAndTellsHowItEnded() {
        var started = app().post(TASKS, app().admin(), "{\"task\": \"gc\"}");

        assertThat(started.status()).isEqualTo(201);
        var id = started.as(TaskRecord.class).id();
        assertThat(started.header("Location")).isEqualTo(TASKS + "/" + id);
        var ended = app().ended(id.toString()).as(TaskRecord.class);
        assertThat(ended.state()).isEqualTo("succeeded");
        assertThat(ended.dryRun()).isFalse();
        assertThat(ended.startedBy()).startsWith("key:");
        assertThat(ended.endedAt()).isNotNull();
        var listed = app().get(TASKS, app().admin()).list(TaskRecord.class);
        assertThat(listed).extracting(TaskRecord::id).contains(id);
        var cancelled =
                app().post(TASKS + "/" + id + ":cancel", app().admin(), "{}").as(TaskRecord.class);
        assertThat(cancelled.state()).as("it is over, and stays so").isEqualTo("succeeded");
    }

    @Test
    void tokenKeysAreRotatedOrReplacedWhenAskedFor() {
        int before = keys();
        var rotated = app().post(TASKS, app().admin(), "{\"task\": \"rotate-token-keys\"}")
                .as(TaskRecord.class)
                .id();
        assertThat(app().ended(rotated.toString()).as(TaskRecord.class).state()).isEqualTo("succeeded");
        assertThat(keys()).isEqualTo(before + 1);
        var replaced = app().post(
                        TASKS, app().admin(), "{\"task\": \"replace-token-keys\", \"confirm\": \"replace-token-keys\"}")
                .as(TaskRecord.class)
                .id();
        assertThat(app().ended(replaced.toString()).as(TaskRecord.class).state())
                .isEqualTo("succeeded");
        pass(Duration.ofSeconds(1));
        assertThat(keys()).isEqualTo(1);
    }

    private int keys() {
        return app().get("/.well-known/jwks.json", null).json().get("keys").size();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                | /task
            {"task": ""}                      | /task
            {"task": 7}                       | /task
            {"task": null}                    | /task
            {"task": "rm"}                    | /task
            {"task": "gc", "dryRun": "yes"}   | /dryRun
            """)
    void rejectsWrongMemberByName(String body, String pointer) {
        var reply = app().post(TASKS, app().admin(), body);

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.problem().errors())
                .extracting(ProblemBody.Finding::pointer)
                .contains(pointer);
    }

    @Test
    void anUnknownRunIsNotFound() {
        assertThat(app().get(TASKS + "/" + UUID.randomUUID(), app().admin()).status())
                .isEqualTo(404);
        assertThat(app().get(TASKS + "/1", app().admin()).status()).isEqualTo(404);
        assertThat(app().post(TASKS + "/" + UUID.randomUUID() + ":cancel", app().admin(), "{}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void anotherOrganizationsAdminIsToldWhoMay() {
        var reply = app().get("/v1/admin/stats", app().secondOrganization("strangers"));

        reply.assertRefused("403 not-administrator");
    }
}
