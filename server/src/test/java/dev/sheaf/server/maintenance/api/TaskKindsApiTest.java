package dev.sheaf.server.maintenance.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.model.wire.admin.TaskKindRecord;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.testing.OnEveryStack;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// What the installation says about its tasks, and how those that end access are confirmed.
class TaskKindsApiTest extends OnEveryStack {
    private static final String TASKS = "/v1/admin/tasks";
    private static final String KEYS = "/v1/organizations/default/api-keys";

    @Test
    void everyTaskTellsWhatItDoesAndWhatItWouldDoNow() {
        var kinds = app().get("/v1/admin/task-kinds", app().admin()).list(TaskKindRecord.class);

        assertThat(kinds)
                .extracting(TaskKindRecord::task)
                .containsExactlyElementsOf(Arrays.stream(TaskKind.values())
                        .map(TaskKind::toString)
                        .sorted()
                        .toList());
        assertThat(kinds).allSatisfy(kind -> {
            assertThat(kind.purpose()).endsWith(".");
            assertThat(kind.effects()).isNotEmpty();
            assertThat(kind.endsAccess()).isEqualTo(kind.task().matches("retire-pepper|replace-token-keys"));
        });
    }

    @Test
    void strangersDoNotSeeThem() {
        assertThat(app().get("/v1/admin/task-kinds", app().secondOrganization("curious"))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aTaskThatEndsAccessNeedsItsNameAgain() {
        for (String body : new String[] {
            "{\"task\": \"replace-token-keys\"}",
            "{\"task\": \"replace-token-keys\", \"confirm\": null}",
            "{\"task\": \"replace-token-keys\", \"confirm\": \"gc\"}",
        }) {
            var refused = app().post(TASKS, app().admin(), body);

            assertThat(refused.status()).isEqualTo(422);
            var error = refused.problem().errors().getFirst();
            assertThat(error.pointer()).isEqualTo("/confirm");
            assertThat(error.detail()).contains("must be replace-token-keys", "ends all access tokens", "API keys");
        }
        run("{\"task\": \"replace-token-keys\", \"dryRun\": true}");
        run("{\"task\": \"replace-token-keys\", \"confirm\": \"replace-token-keys\"}");
    }

    @Test
    void keysWhosePepperIsRetiredEndOneByOne() {
        String used = app().key("in use", "read");
        String idle = app().key("not in use", "read");
        String token = app().get("/v2/token", idle).json().get("token").stringValue();
        run("{\"task\": \"rotate-pepper\"}");
        pass(Duration.ofSeconds(31));
        assertThat(app().get("/v1/me", used).status()).isEqualTo(200);
        assertThat(effects("retire-pepper"))
                .containsPattern(
                        "[1-9] keys? (was|were) not used since the newest pepper took effect and ends? at once")
                .containsPattern("key .not in use. of .[a-z]+., (never used|last used 20)")
                .contains("uses of the last ten seconds may not count yet")
                .doesNotContain("key \\\"in use\\\"");

        var ended = run("{\"task\": \"retire-pepper\", \"confirm\": \"retire-pepper\"}");

        assertThat(ended.counts().get("keysEnded")).isPositive();
        assertThat(app().get("/v1/me", used).status()).isEqualTo(200);
        assertThat(app().get("/v1/me", idle).status()).isEqualTo(401);
        assertThat(app().get("/v2/", token).status())
                .as("its tokens end with it")
                .isEqualTo(401);
        var key = key("not in use");
        assertThat(key.state()).isEqualTo("revoked");
        assertThat(key.revokedReason()).isEqualTo("pepper retired");
        assertThat(key.revokedBy()).isEqualTo("system");
        assertThat(key("in use").state()).isEqualTo("active");
        var log = app().get("/v1/organizations/default/audit-log?action=api_key.revoke", app().admin())
                .list(AuditRecord.class);
        assertThat(log)
                .extracting(AuditRecord::subject)
                .contains(key.id().toString())
                .doesNotContain(key("in use").id().toString());
        assertThat(effects("retire-pepper")).contains("No key ends");
    }

    private String effects(String task) {
        for (var kind : app().get("/v1/admin/task-kinds", app().admin()).list(TaskKindRecord.class)) {
            if (kind.task().equals(task)) {
                return kind.effects().toString();
            }
        }
        throw new IllegalStateException("no task " + task);
    }

    private ApiKey key(String name) {
        for (var key : app().get(KEYS + "?limit=100", app().admin()).list(ApiKey.class)) {
            if (key.name().equals(name)) {
                return key;
            }
        }
        throw new IllegalStateException("no key " + name);
    }

    private TaskRecord run(String body) {
        var begun = app().post(TASKS, app().admin(), body);
        assertThat(begun.status()).as(begun.text()).isEqualTo(201);
        var ended = app().ended(begun.as(TaskRecord.class).id().toString()).as(TaskRecord.class);
        assertThat(ended.state()).isEqualTo("succeeded");
        return ended;
    }
}
