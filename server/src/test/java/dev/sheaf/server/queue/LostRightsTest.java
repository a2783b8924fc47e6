package dev.sheaf.server.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.model.wire.queue.Schedule;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Queues whose authors lose what they might when they set them up.
@Timeout(120)
class LostRightsTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";
    private static final Duration LONG = Duration.ofSeconds(30);

    private Reply made(String path, String key, String json) {
        var reply = app().post(path, key, json);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private Reply claim(String key, Queue queue) {
        return app().post("/v1/runner/jobs:claim?wait_timeout_seconds=0", key, "{\"queueId\": \"" + queue.id() + "\"}");
    }

    // --- prompts ---

    private Queue queueWithPrompt(String organization, String key, String bundle) {
        app().push(bundle, "1.0.0", "public", "Say it");
        String own = "/v1/organizations/" + organization;
        var queue = made(own + "/queues", key, "{\"name\": \"prompted\"}").as(Queue.class);
        made(own + "/queues/prompted/instructions", key, """
                {"name": "Say", "bundle": "%s:1.0.0", "path": "SKILL.md", "active": true}""".formatted(bundle));
        return queue;
    }

    @Test
    void promptOfPrivatizedBundleIsHiddenFromOthers() {
        String key = app().secondOrganization("prompted");
        var queue = queueWithPrompt("prompted", key, "prompts/kit");
        String jobs = "/v1/organizations/prompted/queues/prompted/jobs";
        made(jobs, key, "{}");
        assertThat(requireNonNull(claim(key, queue).as(Claim.class).execution()).renderedInstruction())
                .isEqualTo("Say it");
        app().send("PATCH", bundle("prompts/kit"), app().admin(), "{\"visibility\": \"private\"}");
        var job = made(jobs, key, "{}").as(Job.class);

        var claimed = claim(key, queue);

        assertThat(claimed.status()).as(claimed.text()).isEqualTo(204);
        var failed =
                app().get("/v1/organizations/prompted/jobs/" + job.id(), key).as(Job.class);
        assertThat(failed.status()).isEqualTo("failed");
        assertThat(failed.errorCode()).isEqualTo("bundle_gone");
        assertThat(failed.errorMessage()).contains("prompts/kit").doesNotContain("Say it");
    }

    @Test
    void aPromptOfAPrivateBundleOfItsOwnIsShown() {
        var queue = queueWithPrompt("default", app().admin(), "prompts/own");
        app().send("PATCH", bundle("prompts/own"), app().admin(), "{\"visibility\": \"private\"}");
        made(ORGANIZATION + "/queues/prompted/jobs", app().admin(), "{}");

        assertThat(requireNonNull(claim(app().admin(), queue).as(Claim.class).instruction())
                        .instruction())
                .isEqualTo("Say it");
    }

    // --- schedules ---

    @Test
    void aScheduleOfARevokedKeyMakesNoMoreJobsUntilSomebodyElseEnablesIt() {
        var queue = made(ORGANIZATION + "/queues", app().admin(), "{\"name\": \"timed\"}")
                .as(Queue.class);
        var key = made(ORGANIZATION + "/api-keys", app().admin(), "{\"name\": \"timer\", \"scopes\": [\"write\"]}")
                .as(ApiKey.class);
        String all = ORGANIZATION + "/queues/timed/schedules";
        var schedule = made(all, requireNonNull(key.key()), "{\"cron\": \"0 * * * *\"}")
                .as(Schedule.class);
        String one = all + "/" + schedule.id();
        app().send("DELETE", ORGANIZATION + "/api-keys/" + key.id(), app().admin(), null);

        anHourPasses("one");

        Eventually.within(LONG, () -> !shown(one).enabled());
        assertThat(shown(one).disabledReason()).isEqualTo("author-gone");
        assertThat(shown(one).nextAt()).isNull();
        assertThat(claim(app().admin(), queue).status()).isEqualTo(204);

        var enabled =
                app().send("PATCH", one, app().admin(), "{\"enabled\": true}").as(Schedule.class);
        assertThat(enabled.disabledReason()).isNull();
        assertThat(enabled.createdBy()).isNotEqualTo(schedule.createdBy());
        anHourPasses("two");

        Eventually.within(LONG, () -> claim(app().admin(), queue).status() == 200);
        assertThat(shown(one).enabled()).isTrue();
    }

    private Schedule shown(String schedule) {
        return app().get(schedule, app().admin()).as(Schedule.class);
    }

    /// A job that is due later has the node look at what is due.
    private void anHourPasses(String name) {
        pass(Duration.ofMinutes(65));
        made(ORGANIZATION + "/queues", app().admin(), "{\"name\": \"poke-%s\"}".formatted(name));
        made(ORGANIZATION + "/queues/poke-" + name + "/jobs", app().admin(), "{\"delaySeconds\": 3600}");
    }
}
