package dev.sheaf.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Queues whose authors lose what they might when they set them up.
@Timeout(120)
class LostRightsTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";
    private static final Duration LONG = Duration.ofSeconds(30);

    private JsonNode made(String path, String key, String json) {
        var reply = app().post(path, key, json);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.json();
    }

    private Reply claim(String key, JsonNode queue) {
        return app().post(
                        "/v1/runner/jobs:claim?wait_timeout_seconds=0",
                        key,
                        "{\"queueId\": \"" + queue.get("id").stringValue() + "\"}");
    }

    // --- prompts ---

    private JsonNode queueWithPrompt(String organization, String key, String bundle) {
        app().push(bundle, "1.0.0", "public", "Say it");
        String own = "/v1/organizations/" + organization;
        var queue = made(own + "/queues", key, "{\"name\": \"prompted\"}");
        made(own + "/queues/prompted/instructions", key, """
                {"name": "Say", "bundle": "%s:1.0.0", "path": "SKILL.md", "active": true}""".formatted(bundle));
        return queue;
    }

    @Test
    void aPromptOfABundleThatBecamePrivateIsNotShownToOthers() {
        String key = app().secondOrganization("prompted");
        var queue = queueWithPrompt("prompted", key, "prompts/kit");
        String jobs = "/v1/organizations/prompted/queues/prompted/jobs";
        made(jobs, key, "{}");
        assertThat(claim(key, queue).json().at("/execution/renderedInstruction").stringValue())
                .isEqualTo("Say it");
        app().send("PATCH", bundle("prompts/kit"), app().admin(), "{\"visibility\": \"private\"}");
        var job = made(jobs, key, "{}");

        var claimed = claim(key, queue);

        assertThat(claimed.status()).as(claimed.text()).isEqualTo(204);
        var failed = app().get(
                        "/v1/organizations/prompted/jobs/" + job.get("id").stringValue(), key)
                .json();
        assertThat(failed.get("status").stringValue()).isEqualTo("failed");
        assertThat(failed.get("errorCode").stringValue()).isEqualTo("bundle_gone");
        assertThat(failed.get("errorMessage").stringValue())
                .contains("prompts/kit")
                .doesNotContain("Say it");
    }

    @Test
    void aPromptOfAPrivateBundleOfItsOwnIsShown() {
        var queue = queueWithPrompt("default", app().admin(), "prompts/own");
        app().send("PATCH", bundle("prompts/own"), app().admin(), "{\"visibility\": \"private\"}");
        made(ORGANIZATION + "/queues/prompted/jobs", app().admin(), "{}");

        assertThat(claim(app().admin(), queue)
                        .json()
                        .at("/instruction/instruction")
                        .stringValue())
                .isEqualTo("Say it");
    }

    // --- schedules ---

    @Test
    void aScheduleOfARevokedKeyMakesNoMoreJobsUntilSomebodyElseEnablesIt() {
        var queue = made(ORGANIZATION + "/queues", app().admin(), "{\"name\": \"timed\"}");
        var key = made(ORGANIZATION + "/api-keys", app().admin(), "{\"name\": \"timer\", \"scopes\": [\"write\"]}");
        String all = ORGANIZATION + "/queues/timed/schedules";
        var schedule = made(all, key.get("key").stringValue(), "{\"cron\": \"0 * * * *\"}");
        String one = all + "/" + schedule.get("id").stringValue();
        app().send("DELETE", ORGANIZATION + "/api-keys/" + key.get("id").stringValue(), app().admin(), null);

        anHourPasses("one");

        Eventually.within(LONG, () -> !shown(one).get("enabled").booleanValue());
        assertThat(shown(one).get("disabledReason").stringValue()).isEqualTo("author-gone");
        assertThat(shown(one).has("nextAt")).isFalse();
        assertThat(claim(app().admin(), queue).status()).isEqualTo(204);

        var enabled =
                app().send("PATCH", one, app().admin(), "{\"enabled\": true}").json();
        assertThat(enabled.has("disabledReason")).isFalse();
        assertThat(enabled.get("createdBy")).isNotEqualTo(schedule.get("createdBy"));
        anHourPasses("two");

        Eventually.within(LONG, () -> claim(app().admin(), queue).status() == 200);
        assertThat(shown(one).get("enabled").booleanValue()).isTrue();
    }

    private JsonNode shown(String schedule) {
        return app().get(schedule, app().admin()).json();
    }

    /// A job that is due later has the node look at what is due.
    private void anHourPasses(String name) {
        pass(Duration.ofMinutes(65));
        made(ORGANIZATION + "/queues", app().admin(), "{\"name\": \"poke-%s\"}".formatted(name));
        made(ORGANIZATION + "/queues/poke-" + name + "/jobs", app().admin(), "{\"delaySeconds\": 3600}");
    }
}
