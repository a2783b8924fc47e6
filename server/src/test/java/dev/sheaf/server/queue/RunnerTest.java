package dev.sheaf.server.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobRoute;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Queues as worker programs meet them, over HTTP.
@Timeout(120)
class RunnerTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";
    private static final String LATER = "{\"delaySeconds\": 3600}";
    private static final Duration LONG = Duration.ofSeconds(30);

    private String queue(String name, String more) {
        var made = post(ORGANIZATION + "/queues", "{\"name\": \"" + name + "\"" + more + "}");
        assertThat(made.status()).isEqualTo(201);
        return made.as(Queue.class).id().toString();
    }

    private Reply post(String path, String json) {
        return app().post(path, app().admin(), json);
    }

    private Job enqueue(String queue, String json) {
        var made = post(ORGANIZATION + "/queues/" + queue + "/jobs", json);
        assertThat(made.status()).isEqualTo(201);
        return made.as(Job.class);
    }

    private Reply claim(String queue, int seconds) {
        return post("/v1/runner/jobs:claim?wait_timeout_seconds=" + seconds, "{\"queueId\": \"" + queue + "\"}");
    }

    private Reply verb(Job job, String verb, String json) {
        return post("/v1/runner/jobs/" + job.id() + ":" + verb, json);
    }

    private Job job(Job job) {
        return app().get(ORGANIZATION + "/jobs/" + job.id() + "?include=attempts", app().admin())
                .as(Job.class);
    }

    @Test
    void aJobIsClaimedStartedAndCompleted() {
        String queue = queue("whole", ", \"harnessType\": \"bash\", \"execution\": {\"environment\": {\"A\": \"b\"}}");
        post(
                ORGANIZATION + "/queues/whole/instructions",
                "{\"name\": \"Say\", \"template\": \"Say {{ input.word }} ({{ attempt }})\", \"active\": true}");
        var job = enqueue(queue, "{\"inputData\": {\"word\": \"hello\"}}");

        var claimed = claim(queue, 0).as(Claim.class);

        assertThat(claimed.job().id()).isEqualTo(job.id());
        assertThat(claimed.job().status()).isEqualTo("claimed");
        assertThat(requireNonNull(claimed.execution()).renderedInstruction()).isEqualTo("Say hello (1)");
        assertThat(requireNonNull(claimed.execution()).harnessType()).isEqualTo("bash");
        assertThat(requireNonNull(claimed.execution()).environment().get("A")).isEqualTo("b");
        assertThat(verb(job, "start", "{}").as(Job.class).status()).isEqualTo("running");
        assertThat(verb(job, "progress", "{\"percent\": 50}").status()).isEqualTo(200);
        verb(job, "complete", "{\"outputData\": {\"said\": [1, 2.5, \"x\"]}}");
        assertThat(verb(job, "complete", "{}").status()).isEqualTo(200); // the same again
        assertThat(job(job).outputData()).isEqualTo(Map.of("said", List.of(1, 2.5, "x")));
        assertThat(requireNonNull(job(job).attempts()).getFirst().outcome()).isEqualTo("completed");
        assertThat(requireNonNull(job(job).progress()).percent()).isEqualTo(50);
    }

    @Test
    void waitingClaimEndsWithNextJobOrEmpty() {
        String queue = queue("waiting", "");
        assertThat(claim(queue, 0).status()).isEqualTo(204);
        var waits = CompletableFuture.supplyAsync(() -> claim(queue, 50));
        waiting(1);

        var job = enqueue(queue, "{}");

        assertThat(waits.orTimeout(30, TimeUnit.SECONDS)
                        .join()
                        .as(Claim.class)
                        .job()
                        .id())
                .isEqualTo(job.id());
    }

    /// Until so many claims wait.
    private void waiting(int count) {
        Eventually.within(
                LONG,
                () -> app().get("/metrics", app().admin()).text().contains("sheaf_claims_waiting " + count + ".0"));
    }

    @Test
    void severalAreClaimedAtOnce() {
        String queue = queue("batch", "");
        String jobs = String.join(",", IntStream.range(0, 5).mapToObj(i -> "{}").toList());
        var made = post(ORGANIZATION + "/queues/" + queue + "/jobs", "{\"jobs\": [" + jobs + "]}");
        assertThat(made.json().get("jobs").size()).isEqualTo(5);
        assertThat(app().get(made.header("Location"), app().admin())
                        .json()
                        .get("data")
                        .size())
                .as("at its Location")
                .isEqualTo(5);

        var first = post("/v1/runner/jobs:claim", "{\"queueId\": \"" + queue + "\", \"max\": 3}");
        var rest = post("/v1/runner/jobs:claim", "{\"queueId\": \"" + queue + "\", \"max\": 20}");

        assertThat(first.json().get("jobs").size()).isEqualTo(3);
        assertThat(first.header("X-Accel-Buffering")).isEqualTo("no");
        assertThat(first.header("Vary")).contains("Authorization");
        assertThat(rest.json().get("jobs").size()).isEqualTo(2);
    }

    /// The worker was killed while it waited: the job goes to the next one, and its first try is not lost.
    @Test
    void closedConnectionGetsNoJob() throws Exception {
        String queue = queue("gone", "");
        try (var socket = open("/v1/runner/jobs:claim?wait_timeout_seconds=50", "{\"queueId\": \"" + queue + "\"}")) {
            waiting(1);
            socket.shutdownOutput();
        }

        var job = enqueue(queue, "{}");

        var claimed = claim(queue, 20).as(Claim.class);
        assertThat(claimed.job().id()).isEqualTo(job.id());
        assertThat(claimed.job().attemptNumber()).isEqualTo(1);
    }

    private Socket open(String path, String json) throws IOException {
        var socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(app().url()).getPort());
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        socket.getOutputStream()
                .write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                                + app().admin()
                                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n"
                                + json)
                        .getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void aTemplateThatCannotBeRenderedIsToldOf() {
        String queue = queue("template", "");
        post(
                ORGANIZATION + "/queues/template/instructions",
                "{\"name\": \"Bad\", \"template\": \"\\n{{ input.word }}\", \"active\": true}");
        enqueue(queue, "{\"inputData\": {}}");

        var claimed = claim(queue, 0).as(Claim.class);

        assertThat(claimed.execution()).isNull();
        assertThat(requireNonNull(claimed.executionFailure()).code()).isEqualTo("prompt_error");
        assertThat(requireNonNull(claimed.executionFailure()).message()).contains("line 2", "input.word");
    }

    /// What an existing worker program declares: it cannot read another type, and then never learns the job's id.
    private record OtherClaim(OtherJob job, @Nullable String executionError) {}

    private record OtherJob(String id) {}

    @Test
    void existingWorkersReadTheErrorAsText() {
        String queue = queue("text", "");
        post(
                ORGANIZATION + "/queues/text/instructions",
                "{\"name\": \"Bad\", \"template\": \"{{ input.word }}\", \"active\": true}");
        var job = enqueue(queue, "{\"inputData\": {}}");

        var claimed = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build()
                .readValue(claim(queue, 0).text(), OtherClaim.class);

        assertThat(claimed.job().id()).isEqualTo(job.id().toString());
        assertThat(claimed.executionError()).startsWith("prompt_error: line 1").contains("input.word");
    }

    // --- bundles ---

    @Test
    void theFirstClaimPinsTheBundleAndTheTokenPullsThat() {
        app().push("jobs/kit", "1.0.0", "private", "one");
        String queue = queue("pinned", ", \"bundle\": \"jobs/kit:^1\", \"retry\": {\"baseSeconds\": 1}");
        var job = enqueue(queue, "{}");
        var first = requireNonNull(
                requireNonNull(claim(queue, 0).as(Claim.class).execution()).bundle());
        app().push("jobs/kit", "1.1.0", "private", "two");

        verb(job, "fail", "{\"shouldRetry\": true}");
        pass(Duration.ofHours(1));
        enqueue(queue(("poke"), ""), LATER); // so that the node looks at what is due
        var again = claim(queue, 20).as(Claim.class);

        assertThat(again.job().attemptNumber()).isEqualTo(2);
        assertThat(requireNonNull(requireNonNull(again.execution()).bundle()).digest())
                .isEqualTo(first.digest());
        assertThat(job(job).bundleDigest()).isEqualTo(first.digest());
        String token =
                requireNonNull(requireNonNull(again.execution()).bundle()).token();
        String manifest = "/v2/jobs/kit/manifests/";
        assertThat(app().get(manifest + first.digest(), token).status()).isEqualTo(200);
        assertThat(app().get(manifest + "1.1.0", token).status()).isEqualTo(404);
    }

    private static final String SHORT = ", \"leaseSeconds\": 5, \"bundle\": \"jobs/lives:1.0.0\"";

    /// Returns what pulling the bundle of a claim with its token answers.
    private int pulled(Claim claimed) {
        var bundle = requireNonNull(requireNonNull(claimed.execution()).bundle());
        return app().get("/v2/jobs/lives/manifests/" + bundle.digest(), bundle.token())
                .status();
    }

    @Test
    void theTokenOfAClaimLivesAsLongAsHeartbeatsDo() {
        app().push("jobs/lives", "1.0.0", "private", "one");
        String queue = queue("lives", SHORT);
        var job = enqueue(queue, "{}");
        var claimed = claim(queue, 0).as(Claim.class);
        for (int i = 0; i < 4; i++) {
            assertThat(pulled(claimed)).isEqualTo(200);
            pass(Duration.ofSeconds(8));
            assertThat(verb(job, "heartbeat", "{}").status()).isEqualTo(200);
        }
        pass(Duration.ofSeconds(9));
        assertThat(pulled(claimed)).as("in the grace").isEqualTo(200);

        pass(Duration.ofSeconds(2));

        assertThat(pulled(claimed)).as("after lease and grace").isEqualTo(401);
        var next = claim(queue, 20).as(Claim.class);
        assertThat(next.job().id()).isEqualTo(job.id());
        assertThat(pulled(claimed)).as("held by another claim").isEqualTo(401);
        assertThat(pulled(next)).isEqualTo(200);
    }

    @Test
    void theTokenOfAClaimEndsWithIt() {
        app().push("jobs/lives", "1.0.0", "private", "one");
        String queue = queue("ends", SHORT);
        for (String end : List.of("complete", "fail", "release", "cancel")) {
            var job = enqueue(queue, "{}");
            var claimed = claim(queue, 0).as(Claim.class);
            assertThat(pulled(claimed)).isEqualTo(200);

            var ended = end.equals("cancel")
                    ? post(ORGANIZATION + "/jobs/" + job.id() + ":cancel", "{}")
                    : verb(job, end, end.equals("fail") ? "{\"shouldRetry\": false}" : "{}");

            assertThat(ended.status()).as(end).isEqualTo(200);
            assertThat(pulled(claimed)).as(end).isEqualTo(401);
        }
    }

    @Test
    void theTokenOfAClaimEndsWithTheCredentialThatClaimed() {
        app().push("jobs/lives", "1.0.0", "private", "one");
        String queue = queue("revoked", ", \"leaseSeconds\": 600, \"bundle\": \"jobs/lives:1.0.0\"");
        String key = key("claims", "{}");
        String token = app().form(
                        "/v1/oauth/token",
                        null,
                        "grant_type",
                        "urn:ietf:params:oauth:grant-type:token-exchange",
                        "subject_token",
                        key,
                        "subject_token_type",
                        "urn:ietf:params:oauth:token-type:access_token")
                .json()
                .get("access_token")
                .stringValue();
        var byKey = claimed(queue, key);
        var byToken = claimed(queue, token);
        assertThat(pulled(byToken)).isEqualTo(200);

        assertThat(app().form("/v1/oauth/revoke", null, "token", token).status())
                .isEqualTo(200);

        assertThat(pulled(byToken)).as("the token was revoked").isEqualTo(401);
        assertThat(pulled(byKey)).isEqualTo(200);
        for (int i = 0; i < 14; i++) { // longer than the revoked token would have lived
            pass(Duration.ofMinutes(9));
            for (var claimed : List.of(byKey, byToken)) { // by another credential of the same holder
                assertThat(app().post("/v1/runner/jobs/" + claimed.job().id() + ":heartbeat", key, "{}")
                                .status())
                        .isEqualTo(200);
            }
        }
        assertThat(pulled(byToken)).as("it does not come back").isEqualTo(401);
        assertThat(pulled(byKey)).isEqualTo(200);
        assertThat(app().send("DELETE", "/v1/api-keys/current", key, null).status())
                .isEqualTo(204);
        assertThat(pulled(byKey)).as("the key was revoked").isEqualTo(401);
    }

    private Claim claimed(String queue, String credential) {
        post(ORGANIZATION + "/queues/" + queue + "/jobs", "{}");
        return app().post("/v1/runner/jobs:claim", credential, "{\"queueId\": \"" + queue + "\"}")
                .as(Claim.class);
    }

    @Test
    void aBundleThatIsGoneFailsTheJob() {
        app().push("jobs/gone", "1.0.0", "private", "one");
        String queue = queue("gone-bundle", ", \"bundle\": \"jobs/gone\"");
        var job = enqueue(queue, "{}");
        app().send("DELETE", bundle("jobs/gone") + "?reason=test", app().admin(), null);

        assertThat(claim(queue, 0).status()).isEqualTo(204);

        assertThat(job(job).status()).isEqualTo("failed");
        assertThat(job(job).errorCode()).isEqualTo("bundle_gone");
    }

    // --- who may ---

    private String key(String name, String restrictions) {
        return app().secret("{\"name\": \"%s\", \"scopes\": [\"write\"], \"restrictions\": %s}"
                .formatted(name, restrictions));
    }

    @Test
    void aKeyForWorkNeitherPublishesNorEnqueues() {
        String queue = queue("uses", "");
        var job = enqueue(queue, "{}");
        String worker = key("worker", "{\"uses\": [\"work\"]}");
        String sender = key("sender", "{\"uses\": [\"enqueue\"]}");
        String jobs = ORGANIZATION + "/queues/uses/jobs";

        String body = "{\"queueId\": \"" + queue + "\"}";
        assertThat(app().post("/v1/runner/jobs:claim", worker, body).status()).isEqualTo(200);
        assertThat(app().post("/v1/runner/jobs/" + job.id() + ":complete", worker, "{}")
                        .status())
                .isEqualTo(200);
        assertThat(app().post(jobs, worker, "{}").status()).isEqualTo(403);
        assertThat(app().post(jobs, sender, "{}").status()).isEqualTo(201);
        assertThat(app().post("/v1/runner/jobs:claim", sender, "{}").status()).isEqualTo(403);
        for (String key : List.of(worker, sender)) {
            assertThat(app().post(
                                    "/v1/namespaces/uses/bundles/kit:push",
                                    key,
                                    "{\"name\": \"K\", \"version\": \"1.0.0\", \"manifest\": []}")
                            .status())
                    .isEqualTo(403);
            assertThat(app().post(ORGANIZATION + "/queues", key, "{\"name\": \"More\"}")
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void aKeyForAQueueSeesNoOther() {
        String mine = queue("mine-1", "");
        String other = queue("other", "");
        String key = key("confined", "{\"queues\": [\"mine-*\"]}");
        var hidden = enqueue(other, "{}");

        assertThat(app().get(ORGANIZATION + "/queues/" + mine, key).status()).isEqualTo(200);
        assertThat(app().get(ORGANIZATION + "/queues/" + other, key).status()).isEqualTo(404);
        assertThat(app().get(ORGANIZATION + "/jobs/" + hidden.id(), key).status())
                .isEqualTo(404);
        assertThat(app().get(ORGANIZATION + "/queues", key).list(Queue.class)).hasSize(1);
        assertThat(app().get(ORGANIZATION + "/jobs", key).list(Job.class)).isEmpty();
        assertThat(app().post("/v1/runner/jobs:claim", key, "{}").status()).isEqualTo(204);
        assertThat(app().post("/v1/runner/jobs:claim", key, "{\"queueId\": \"" + other + "\"}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void rejectsReportOfAnotherKeyAndHidesJobFromOtherOrganizations() {
        String queue = queue("held", "");
        var job = enqueue(queue, "{}");
        claim(queue, 0);
        String path = "/v1/runner/jobs/" + job.id();

        var foreign = app().post(path + ":complete", app().key("another", "write"), "{}");
        var elsewhere = app().post(path + ":complete", app().secondOrganization("elsewhere"), "{}");

        foreign.assertRefused("409 lease-lost");
        assertThat(elsewhere.status()).isEqualTo(404);
    }

    /// Programs that share a key are one holder; the try tells them apart.
    @Test
    void rejectsReportOfEndedAttempt() {
        String queue = queue("tries", ", \"retry\": {\"baseSeconds\": 1}");
        var job = enqueue(queue, "{}");
        claim(queue, 0);
        verb(job, "fail", "{\"shouldRetry\": true, \"attemptNumber\": 1}");
        pass(Duration.ofHours(1));
        enqueue(queue("poke-tries", ""), LATER); // so that the node looks at what is due
        claim(queue, 20);

        assertThat(verb(job, "complete", "{\"attemptNumber\": 1}").status()).isEqualTo(409);
        assertThat(verb(job, "start", "{\"attemptNumber\": 1}").status()).isEqualTo(409);
        assertThat(verb(job, "complete", "{\"attemptNumber\": 2}").status()).isEqualTo(200);
        assertThat(verb(job, "complete", "{\"attemptNumber\": 2}").status()).isEqualTo(200);
    }

    // --- events, schedules, routes ---

    @Test
    void theEndOfAJobIsAnEventWhereItsQueueSaysSo() {
        String told = queue("told", ", \"events\": [\"completed\"]");
        String silent = queue("silent", "");
        for (String queue : List.of(silent, told)) {
            var job = enqueue(queue, "{}");
            claim(queue, 0);
            verb(job, "complete", "{}");
        }

        var events = ORGANIZATION + "/events?types=job.*&limit=100";
        Eventually.within(
                LONG,
                () -> app().get(events, app().admin())
                        .json()
                        .get("data")
                        .valueStream()
                        .anyMatch(event -> event.at("/data/queue").stringValue().equals("told")));
        assertThat(app().get(events, app().admin()).json().get("data").valueStream())
                .noneMatch(event -> event.at("/data/queue").stringValue().equals("silent"));
    }

    @Test
    void aPublishedVersionBecomesOneJobOfARoute() {
        String queue = queue("routed", "");
        var route = post(ORGANIZATION + "/routes", """
                {"name": "Lint", "eventTypes": ["version.published"], "subject": "routed/*", "queueId": "%s",
                 "inputTemplate": "{\\"ref\\": {{ event.subject | json }} }"}""".formatted(queue));
        assertThat(route.status()).isEqualTo(201);

        app().push("elsewhere/kit", "1.0.0", "private", "text");
        app().push("routed/kit", "1.0.0", "private", "text");

        var claimed = claim(queue, 50).as(Claim.class);
        assertThat(claimed.job().inputData()).isEqualTo(Map.of("ref", "routed/kit:1.0.0"));
        assertThat(claimed.job().ceType()).isEqualTo("version.published");
        assertThat(claimed.job().routeId()).isEqualTo(route.as(JobRoute.class).id());
        assertThat(claim(queue, 1).status()).isEqualTo(204);
    }

    @Test
    void aRouteOfARevokedKeyMakesNoMoreJobs() {
        String queue = queue("revoked-route", "");
        var made = app().newKey("{\"name\": \"router\", \"scopes\": [\"write\"]}");
        var route = app().post(
                        ORGANIZATION + "/routes",
                        made.key(),
                        "{\"name\": \"R\", \"eventTypes\": [\"version.*\"], \"queueId\": \"" + queue + "\"}");
        app().send("DELETE", ORGANIZATION + "/api-keys/" + made.id(), app().admin(), null);

        app().push("revoked/kit", "1.0.0", "private", "text");

        String path = ORGANIZATION + "/routes/" + route.as(JobRoute.class).id();
        Eventually.within(
                LONG, () -> !app().get(path, app().admin()).as(JobRoute.class).enabled());
        assertThat(app().get(path, app().admin()).as(JobRoute.class).disabledReason())
                .isEqualTo("author-gone");
        assertThat(claim(queue, 0).status()).isEqualTo(204);
    }

    @Test
    void aScheduleMakesOneJobOfAllTheTimesThatWereMissed() {
        String queue = queue("scheduled", "");
        var schedule =
                post(ORGANIZATION + "/queues/scheduled/schedules", "{\"cron\": \"0 * * * *\", \"inputData\": [7]}");
        assertThat(schedule.status()).isEqualTo(201);

        pass(Duration.ofHours(5));
        enqueue(queue("poke-schedule", ""), LATER); // so that the node looks at what is due

        assertThat(claim(queue, 20).as(Claim.class).job().inputData()).isEqualTo(List.of(7));
        assertThat(claim(queue, 1).status()).isEqualTo(204);
    }
}
