package dev.sheaf.server.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobEvent;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.model.wire.queue.Rendered;
import dev.sheaf.model.wire.queue.Worker;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which ended jobs a bulk change takes, and what workers and owners read about jobs that cannot be run.
@Timeout(120)
class EndedJobsTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";

    private Reply post(String path, String json) {
        return app().post(path, app().admin(), json);
    }

    private String queue(String name, String more) {
        var made = post(ORGANIZATION + "/queues", "{\"name\": \"" + name + "\", \"maxAttempts\": 1" + more + "}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.as(Queue.class).id().toString();
    }

    private String enqueue(String queue, String json) {
        var made = post(ORGANIZATION + "/queues/" + queue + "/jobs", json);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.as(Job.class).id().toString();
    }

    private Reply claim(String queue, String more) {
        return post("/v1/runner/jobs:claim", "{\"queueId\": \"" + queue + "\"" + more + "}");
    }

    private String failed(String queue, String type, String code) {
        String id = enqueue(queue, "{\"jobType\": \"" + type + "\"}");
        claim(queue, "");
        var answer = post("/v1/runner/jobs/" + id + ":fail", "{\"errorCode\": \"" + code + "\", \"shouldRetry\": true}")
                .as(Job.class);
        assertThat(answer.status()).isEqualTo("dead");
        return id;
    }

    private long count(String queue, String verb, String body) {
        var answer = post(ORGANIZATION + "/queues/" + queue + verb, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().get("count").longValue();
    }

    private List<String> ids(String queue, String filter) {
        var data = app().get(ORGANIZATION + "/queues/" + queue + "/jobs?" + filter, app().admin())
                .list(Job.class);
        return data.stream().map(job -> job.id().toString()).toList();
    }

    @Test
    void jobsAreRetriedAndPurgedByTypeErrorAndId() {
        String queue = queue("narrow", "");
        String one = failed(queue, "a", "exit_3");
        String two = failed(queue, "b", "exit_3");
        String three = failed(queue, "b", "exit_4");
        String four = failed(queue, "b", "exit_4");

        assertThat(ids(queue, "errorCode=exit_3")).containsExactly(two, one);
        assertThat(count(
                        queue,
                        "/jobs:retry",
                        "{\"status\": [\"dead\"], \"jobType\": \"b\", \"errorCode\": \"exit_3\"}"))
                .isEqualTo(1);
        assertThat(ids(queue, "status=queued")).containsExactly(two);
        assertThat(count(queue, ":purge", "{\"status\": [\"dead\"], \"errorCode\": \"exit_3\"}"))
                .isEqualTo(1);
        assertThat(count(
                        queue,
                        ":purge",
                        "{\"status\": [\"dead\", \"failed\"], \"ids\": [\"%s\", \"%s\", \"%s\"]}"
                                .formatted(three, two, one)))
                .as("one is gone, one is queued")
                .isEqualTo(1);
        assertThat(ids(queue, "order=created")).containsExactly(four, two);
    }

    private Job.Changed change(String queue, String verb, String body) {
        var answer = post(ORGANIZATION + "/queues/" + queue + "/jobs:" + verb, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.as(Job.Changed.class);
    }

    private static List<String> reasons(Job.Changed changed) {
        return requireNonNull(changed.skipped()).stream()
                .map(Job.Skipped::reason)
                .toList();
    }

    @Test
    void jobsAreCancelledTogetherAndTheOthersAreNamed() {
        String queue = queue("stopped", "");
        String dead = failed(queue, "a", "x");
        String held = enqueue(queue, "{}");
        claim(queue, "");
        String waiting = enqueue(queue, "{}");
        String elsewhere = enqueue(queue("running", ""), "{}");

        var changed = change(queue, "cancel", """
                {"status": ["queued", "claimed"], "ids": ["%s", "%s", "%s", "%s"]}""".formatted(dead, held, waiting, elsewhere));

        assertThat(changed.count()).isEqualTo(2);
        assertThat(changed.hasMore()).isFalse();
        assertThat(reasons(changed))
                .containsExactly(
                        "it is dead; only jobs that are queued, scheduled, claimed, running can be cancelled",
                        "there is no such job in this queue");
        assertThat(ids(queue, "status=cancelled")).containsExactly(waiting, held);
        assertThat(history(held)).endsWith("cancelled");
        var late = post("/v1/runner/jobs/" + held + ":complete", "{}");
        assertThat(late.status()).isEqualTo(409);
    }

    @Test
    void aJobWhoseDedupeKeyIsTakenIsNamed() {
        String queue = queue("keys", "");
        String first = enqueue(queue, "{\"dedupeKey\": \"k\"}");
        post(ORGANIZATION + "/jobs/" + first + ":cancel", "{}");
        enqueue(queue, "{\"dedupeKey\": \"k\"}");

        var changed = change(queue, "retry", "{\"status\": [\"cancelled\"]}");

        assertThat(changed.count()).isZero();
        assertThat(reasons(changed)).containsExactly("another job with its dedupe key waits or runs");
    }

    @Test
    void textAndTimeNarrowTheSelection() {
        String queue = queue("texts", "");
        String old = enqueue(queue, "{\"inputData\": \"needle\"}");
        pass(Duration.ofHours(1));
        String young = enqueue(queue, "{\"inputData\": \"a NEEDLE_\"}");
        String hay = enqueue(queue, "{\"inputData\": \"hay\"}");
        String after = app().get(ORGANIZATION + "/jobs/" + young, app().admin())
                .as(Job.class)
                .createdAt()
                .toString();

        var changed = change(queue, "cancel", """
                {"status": ["queued"], "q": "needle", "after": "%s"}""".formatted(after));

        assertThat(changed.count()).isEqualTo(1);
        assertThat(ids(queue, "status=queued")).containsExactly(hay, old);
    }

    @Test
    void oneRequestChangesTenThousandAndSaysThatThereAreMore() {
        String queue = queue("flood", "");
        String hundred = "{},".repeat(99) + "{}";
        for (int i = 0; i < 101; i++) {
            post(ORGANIZATION + "/queues/" + queue + "/jobs", "{\"jobs\": [" + hundred + "]}");
        }

        var first = change(queue, "cancel", "{\"status\": [\"queued\", \"claimed\"]}");
        var second = change(queue, "cancel", "{\"status\": [\"queued\", \"claimed\"]}");

        assertThat(first.count()).isEqualTo(10_000);
        assertThat(first.hasMore()).isTrue();
        assertThat(second.count()).isEqualTo(100);
        assertThat(second.hasMore()).isFalse();
    }

    @Test
    void retryAndPurgeIgnoreJobsOfOtherQueues() {
        String queue = queue("mine", "");
        String other = failed(queue("theirs", ""), "a", "x");

        assertThat(count(queue, ":purge", "{\"status\": [\"dead\"], \"ids\": [\"" + other + "\"]}"))
                .isZero();
        var none = post(ORGANIZATION + "/queues/" + queue + ":purge", "{\"status\": [\"dead\"], \"ids\": []}");
        assertThat(none.status()).isEqualTo(422);
        assertThat(none.text()).contains("must have 1 to 100 ids of jobs");
    }

    @Test
    void theHistoryNamesTheEndOfADeadJobAndItsRetry() {
        String queue = queue("history", "");
        String job = failed(queue, "a", "x");
        var dead = history(job);

        post(ORGANIZATION + "/jobs/" + job + ":retry", "{}");
        pass(Duration.ofSeconds(1));
        claim(queue, "");

        assertThat(dead).containsExactly("enqueued", "claimed", "failed", "dead");
        assertThat(history(job)).containsExactly("enqueued", "claimed", "failed", "dead", "retried", "claimed");
        assertThat(app().get(ORGANIZATION + "/jobs/" + job, app().admin())
                        .as(Job.class)
                        .progress())
                .isNull();
    }

    private List<String> history(String job) {
        var events = app().get(ORGANIZATION + "/jobs/" + job + "/events", app().admin())
                .list(JobEvent.class);
        return events.stream().map(event -> event.type()).toList();
    }

    @Test
    void aClaimSaysWhichJobsFailedOnTheWayAndWhy() {
        app().push("ended/kit", "1.0.0", "private", "one");
        String queue = queue("missing", ", \"bundle\": \"ended/kit:9.0.0\"");
        String job = enqueue(queue, "{}");
        enqueue(queue, "{}");
        String good = enqueue(queue, "{\"bundle\": \"ended/kit:1.0.0\"}");

        var claimed = claim(queue, "");
        var none = claim(queue, "");

        assertThat(claimed.as(Claim.class).job().id().toString()).isEqualTo(good);
        assertThat(claimed.header("Sheaf-Failed-Jobs")).isEqualTo("2");
        assertThat(none.header("Sheaf-Failed-Jobs")).isEmpty();
        var failed = app().get(ORGANIZATION + "/jobs/" + job, app().admin()).as(Job.class);
        assertThat(failed.errorMessage())
                .startsWith("the bundle ended/kit has no version 9.0.0")
                .doesNotContain("any more");
    }

    @Test
    void aClaimSaysUntilWhenReleasedJobsAreHeldBack() {
        String queue = queue("held-back", "");
        String job = enqueue(queue, "{}");
        claim(queue, "");
        post("/v1/runner/jobs/" + job + ":release", "{}");

        var mine = claim(queue, "");

        assertThat(mine.status()).isEqualTo(204);
        assertThat(mine.header("Sheaf-Held-Back-Until")).startsWith("20").endsWith("Z");
        var others = app().post(
                        "/v1/runner/jobs:claim",
                        app().key("somebody-else", "write"),
                        "{\"queueId\": \"" + queue + "\"}");
        assertThat(others.status()).isEqualTo(200);
        assertThat(claim(queue, "").header("Sheaf-Held-Back-Until"))
                .as("it waits no longer")
                .isEmpty();
    }

    @Test
    void aPreviewHasTheBundleOfItsQueue() {
        app().push("ended/shown", "1.0.0", "private", "one");
        queue("shown", ", \"bundle\": \"ended/shown:^1\"");

        var shown = post(
                ORGANIZATION + "/queues/shown/instructions:render",
                "{\"template\": \"{{ bundle.ref }} {{ bundle.digest }} {{ bundle.ociPinnedRef }}\"}");

        assertThat(shown.as(Rendered.class).rendered())
                .matches("ended/shown:\\^1 sha256:[0-9a-f]{64} [^/ ]+/ended/shown@sha256:[0-9a-f]{64}");
    }

    @Test
    void aPromptThatNeverExistedIsNotSaidToBeGone() {
        app().push("ended/prompts", "1.0.0", "private", "one");
        queue("prompts", "");

        var refused = post(
                ORGANIZATION + "/queues/prompts/instructions",
                "{\"name\": \"x\", \"bundle\": \"ended/prompts:1.0.0\", \"path\": \"prompts/x.md\"}");

        assertThat(refused.text()).contains("has no file prompts/x.md").doesNotContain("any more");
    }

    /// As a program that is started for each job.
    @Test
    void aNamedWorkerThatEndedIsForgottenWhenItsNameComesBack() {
        var habitat = app().get(ORGANIZATION + "/queues/" + queue("named", ""), app().admin())
                .as(Queue.class)
                .habitatId();
        for (int i = 0; i < 3; i++) {
            var made = post(
                            "/v1/runner/workers:register",
                            "{\"instanceId\": \"run-%d\", \"habitatId\": \"%s\", \"name\": \"nightly\", \"workerType\": \"t\"}"
                                    .formatted(i, habitat))
                    .as(Worker.Registered.class);
            var id = made.workerId();
            post("/v1/runner/workers/" + id + ":deregister", "{\"jobsCompleted\": 0, \"jobsFailed\": 0}");
        }

        var workers = app().get(ORGANIZATION + "/workers", app().admin()).list(Worker.class);

        assertThat(workers.stream()
                        .filter(worker -> "nightly".equals(worker.name()))
                        .map(worker -> worker.instanceId()))
                .containsExactly("run-2");
    }

    @Test
    void aKeyWithUsesSaysWhatItMayDoAndWhatItLacks() {
        queue("confined", "");
        var made = post(
                        ORGANIZATION + "/api-keys",
                        "{\"name\": \"only-work\", \"scopes\": [\"write\"], \"restrictions\": {\"uses\": [\"work\"]}}")
                .as(ApiKey.class);
        String key = requireNonNull(made.key());

        var adding = app().post(ORGANIZATION + "/queues/confined/jobs", key, "{}");
        var managing = app().post(ORGANIZATION + "/queues", key, "{\"name\": \"more\"}");

        assertThat(adding.text())
                .contains("this key may only work on jobs (uses: work); to add jobs, it needs the use enqueue");
        assertThat(managing.text()).contains("this key may only work on jobs (uses: work); use a key without uses");
        assertThat(app().get("/v1/me", key).as(Me.class).namespaces()).isEmpty();
    }
}
