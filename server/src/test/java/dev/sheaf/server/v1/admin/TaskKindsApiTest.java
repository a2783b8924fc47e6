package dev.sheaf.server.v1.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.server.testing.OnEveryStack;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What the installation says about its tasks, and how those that end access are confirmed.
class TaskKindsApiTest extends OnEveryStack {
    private static final String TASKS = "/v1/admin/tasks";
    private static final String KEYS = "/v1/organizations/default/api-keys";

    @Test
    void everyTaskTellsWhatItDoesAndWhatItWouldDoNow() {
        var kinds = app().get("/v1/admin/task-kinds", app().admin()).json().get("data");

        assertThat(kinds.findValuesAsString("task"))
                .containsExactlyElementsOf(Arrays.stream(TaskKind.values())
                        .map(TaskKind::toString)
                        .sorted()
                        .toList());
        assertThat(kinds).allSatisfy(kind -> {
            assertThat(kind.get("purpose").stringValue()).endsWith(".");
            assertThat(kind.get("effects")).isNotEmpty();
            assertThat(kind.get("endsAccess").booleanValue())
                    .isEqualTo(kind.get("task").stringValue().matches("retire-pepper|replace-token-keys"));
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
            var error = refused.json().get("errors").get(0);
            assertThat(error.get("pointer").stringValue()).isEqualTo("/confirm");
            assertThat(error.get("detail").stringValue())
                    .contains("must be replace-token-keys", "ends all access tokens", "API keys");
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
                .containsPattern("key .{2}not in use.{2} of .{2}[a-z]+.{2}, (never used|last used 20)")
                .contains("uses of the last ten seconds may not count yet")
                .doesNotContain("key \\\"in use\\\"");

        var ended = run("{\"task\": \"retire-pepper\", \"confirm\": \"retire-pepper\"}");

        assertThat(ended.get("counts").get("keysEnded").intValue()).isPositive();
        assertThat(app().get("/v1/me", used).status()).isEqualTo(200);
        assertThat(app().get("/v1/me", idle).status()).isEqualTo(401);
        assertThat(app().get("/v2/", token).status())
                .as("its tokens end with it")
                .isEqualTo(401);
        var key = key("not in use");
        assertThat(key.get("state").stringValue()).isEqualTo("revoked");
        assertThat(key.get("revokedReason").stringValue()).isEqualTo("pepper retired");
        assertThat(key.get("revokedBy").stringValue()).isEqualTo("system");
        assertThat(key("in use").get("state").stringValue()).isEqualTo("active");
        var log = app().get("/v1/organizations/default/audit-log?action=api_key.revoke", app().admin())
                .json()
                .get("data");
        assertThat(log.findValuesAsString("subject"))
                .contains(key.get("id").stringValue())
                .doesNotContain(key("in use").get("id").stringValue());
        assertThat(effects("retire-pepper")).contains("No key ends");
    }

    private String effects(String task) {
        for (var kind : app().get("/v1/admin/task-kinds", app().admin()).json().get("data")) {
            if (kind.get("task").stringValue().equals(task)) {
                return kind.get("effects").toString();
            }
        }
        throw new IllegalStateException("no task " + task);
    }

    private JsonNode key(String name) {
        for (var key : app().get(KEYS + "?limit=100", app().admin()).json().get("data")) {
            if (key.get("name").stringValue().equals(name)) {
                return key;
            }
        }
        throw new IllegalStateException("no key " + name);
    }

    private JsonNode run(String body) {
        var begun = app().post(TASKS, app().admin(), body);
        assertThat(begun.status()).as(begun.text()).isEqualTo(201);
        var ended = app().ended(begun.json().get("id").stringValue()).json();
        assertThat(ended.get("state").stringValue()).isEqualTo("succeeded");
        return ended;
    }
}
