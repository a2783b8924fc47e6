package dev.sheaf.server.contract;

import static dev.sheaf.server.contract.ExamplesScenario.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;

/// The part of [ExamplesScenario] with queues, their jobs, and a worker that does them.
final class ExamplesOfQueues {
    private static final String QUEUES = OWN + "/queues";
    private static final String REVIEWS = QUEUES + "/reviews";
    private static final String JOBS = REVIEWS + "/jobs";

    private final ExamplesScenario scenario;
    private String worker = "";

    ExamplesOfQueues(ExamplesScenario scenario) {
        this.scenario = scenario;
    }

    void play() {
        habitats();
        queues();
        instructions();
        schedules();
        routes();
        enqueue();
        readAsRunner();
        registerWorker();
        doJobs();
        endJobs();
        leave();
        clear();
    }

    private static String id(Reply reply, String pointer) {
        return reply.json().at(pointer).asString("none in " + reply.text());
    }

    private void habitats() {
        scenario.post(OWN + "/habitats", "{\"name\": \"Build machines\", \"slug\": \"build\"}");
        scenario.get(OWN + "/habitats");
        scenario.get(OWN + "/habitats/build");
        scenario.send("PATCH", OWN + "/habitats/build", "{\"name\": \"Old build machines\"}");
    }

    private void queues() {
        var created = scenario.post(QUEUES, """
                {"name": "Reviews", "description": "Texts to look at", "bundle": "acme/notes:^1", "maxAttempts": 5,
                 "retry": {"baseSeconds": 30}, "events": ["failed", "dead"],
                 "execution": {"environment": {"LANG": "en"}, "constraints": {"maxTurns": 20}}}""");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        scenario.get(QUEUES);
        scenario.get(REVIEWS);
        scenario.send("PATCH", REVIEWS, "{\"maxRunning\": 10}");
        scenario.post(REVIEWS + ":archive", "{}");
        scenario.post(REVIEWS + ":pause", "{}");
        scenario.post(REVIEWS + ":resume", "{}");
    }

    private void instructions() {
        String all = REVIEWS + "/instructions";
        String one = all + "/" + id(scenario.post(all, """
                {"name": "Review", "template": "Review {{ input.url }}."}"""), "/id");
        scenario.get(all);
        scenario.get(one);
        scenario.post(all + ":render", """
                {"template": "Review {{ input.url }}.", "input": {"url": "https://git.example/acme/notes/1"}}""");
        scenario.post(one + ":deactivate", "{}");
        scenario.post(one + ":activate", "{}");
    }

    private void schedules() {
        String all = REVIEWS + "/schedules";
        String one = all + "/" + id(scenario.post(all, """
                {"name": "Nightly review", "cron": "30 2 * * *", "timeZone": "Europe/Zurich", "jobType": "review"}"""), "/id");
        scenario.get(all);
        scenario.get(one);
        scenario.send("PATCH", one, "{\"enabled\": false}");
        assertThat(scenario.send("DELETE", one, null).status()).isEqualTo(204);
    }

    private void routes() {
        String all = OWN + "/routes";
        String queue = id(scenario.get(REVIEWS), "/id");
        String one = all + "/" + id(scenario.post(all, """
                {"name": "Review what is published", "eventTypes": ["version.published"], "subject": "acme/*",
                 "queueId": "%s"}""".formatted(queue)), "/id");
        scenario.get(all);
        scenario.get(one);
        scenario.send("PATCH", one, "{\"enabled\": false}");
        assertThat(scenario.send("DELETE", one, null).status()).isEqualTo(204);
    }

    private void enqueue() {
        String one = """
                {"jobType": "review", "inputData": {"url": "https://git.example/acme/notes/1"}, "priority": "high",
                 "dedupeKey": "notes-1"}""";
        assertThat(scenario.post(JOBS, one).status()).isEqualTo(201);
        assertThat(scenario.post(JOBS, one).status()).isEqualTo(200);
        var more = scenario.post(JOBS, """
                {"jobs": [{"inputData": {"url": "https://git.example/acme/notes/2"}},
                          {"inputData": {"url": "https://git.example/acme/notes/3"}},
                          {"inputData": {"url": "https://git.example/acme/notes/4"}, "delaySeconds": 86400}]}""");
        assertThat(more.status()).as(more.text()).isEqualTo(201);
        scenario.get(JOBS + "?status=queued,scheduled");
        scenario.get(OWN + "/jobs?q=notes");
        scenario.post(OWN + "/jobs/" + id(more, "/jobs/2/id") + ":cancel", "{}");
    }

    private void readAsRunner() {
        scenario.get("/v1/runner/config");
        scenario.get("/v1/runner/habitats");
        scenario.get("/v1/runner/queues?status=active");
        scenario.get("/v1/runner/queues/reviews/instruction-availability");
    }

    private void registerWorker() {
        String habitat = id(scenario.get("/v1/runner/habitats"), "/data/1/id");
        worker = id(
                scenario.post(
                        "/v1/runner/workers:register",
                        "{\"instanceId\": \"build-7\", \"habitatId\": \"" + habitat + "\", \"workerType\": \"shell\"}"),
                "/workerId");
        scenario.get(OWN + "/workers");
        scenario.get(OWN + "/workers/" + worker);
    }

    private String claim() {
        var claimed = scenario.post("/v1/runner/jobs:claim", "{\"workerId\": \"" + worker + "\"}");
        assertThat(claimed.status()).as(claimed.text()).isEqualTo(200);
        return id(claimed, "/job/id");
    }

    private void doJobs() {
        String first = claim();
        String job = "/v1/runner/jobs/" + first;
        scenario.post(job + ":start", "{}");
        scenario.post("/v1/runner/workers/" + worker + ":heartbeat", "{\"currentJobId\": \"" + first + "\"}");
        scenario.post(job + ":heartbeat", "{}");
        scenario.post(job + ":progress", "{\"percent\": 40, \"message\": \"Read the first half\"}");
        scenario.post(job + ":complete", "{\"outputData\": {\"verdict\": \"good\"}}");
        scenario.get(OWN + "/jobs/" + first + "?include=attempts");
        scenario.get(OWN + "/jobs/" + first + "/events");
    }

    private void endJobs() {
        String failed = claim();
        scenario.post("/v1/runner/jobs/" + failed + ":fail", """
                {"errorCode": "not_found", "errorMessage": "There is no such page", "shouldRetry": false}""");
        scenario.post("/v1/runner/jobs/" + failed + ":start", "{}");
        scenario.post(OWN + "/jobs/" + failed + ":retry", "{}");
        scenario.post("/v1/runner/jobs/" + claim() + ":release", "{}");
        scenario.get(REVIEWS + "/stats?window=P1D");
    }

    private void leave() {
        String workers = "/v1/runner/workers/" + worker;
        scenario.post(workers + ":deregister", "{\"reason\": \"shutdown\", \"jobsCompleted\": 1, \"jobsFailed\": 1}");
        assertThat(scenario.send("DELETE", OWN + "/workers/" + worker, null).status())
                .isEqualTo(204);
    }

    private void clear() {
        scenario.post(JOBS + ":retry", "{\"status\": [\"cancelled\"]}");
        scenario.post(JOBS + ":cancel", "{\"status\": [\"queued\", \"scheduled\"]}");
        scenario.post(REVIEWS + ":purge", "{\"status\": [\"completed\", \"cancelled\"]}");
        assertThat(scenario.send("DELETE", REVIEWS + "?force=true", null).status())
                .isEqualTo(204);
        assertThat(scenario.send("DELETE", OWN + "/habitats/build", null).status())
                .isEqualTo(204);
    }
}
