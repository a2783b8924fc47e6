package dev.sheaf.server.queue.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What people do with jobs, dead letters and workers, without scripts.
class JobPagesTest extends OnConsole {
    private static final String ORG = "/organizations/default";
    private static final String API = "/v1" + ORG;
    private static final int MOST = 100 << 10;

    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner = person("jobs@acme.test", "default", "owner");
    }

    private void queue(String slug) {
        app().post(API + "/queues", app().admin(), """
                {"name": "%s", "slug": "%s", "maxAttempts": 1}""".formatted(slug, slug));
    }

    private String job(String queue, String json) {
        return app().post(API + "/queues/" + queue + "/jobs", app().admin(), json)
                .json()
                .get("id")
                .stringValue();
    }

    private Browser.Page open(String path) {
        return owner.open(at(ORG + path));
    }

    private String status(String job) {
        return app().get(API + "/jobs/" + job, app().admin())
                .json()
                .get("status")
                .stringValue();
    }

    @Test
    void aJobIsAddedCancelledAndRetriedByForms() {
        queue("byhand");
        var wrong = owner.submit(
                open("/queues/byhand/jobs:new"), "/jobs", Map.of("inputData", "{broken", "jobType", "review"));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.html()).contains("{broken", "value=\"review\"", "id=\"error-inputData\"");

        var added = owner.submit(wrong, "/jobs", Map.of("inputData", "{\"url\": \"<b>x</b>\"}"));
        assertThat(added.html()).contains("&lt;b&gt;x&lt;/b&gt;", "Queued", "Enqueued");
        String id = added.place().getPath().replaceFirst(".*/", "");
        var cancelled = owner.submit(added, ":cancel", Map.of());
        assertThat(status(id)).isEqualTo("cancelled");
        owner.submit(cancelled, ":retry", Map.of());

        assertThat(status(id)).isEqualTo("queued");
    }

    @Test
    void jobsAreFoundByTheirFilters() {
        queue("filtered");
        String one = job("filtered", "{\"jobType\": \"review\", \"inputData\": {\"a\": \"needle\"}}");
        String other = job("filtered", "{\"jobType\": \"build\", \"inputData\": {\"a\": \"hay\"}}");

        for (String query : new String[] {"q=needle", "type=review", "status=queued&q=NEEDLE&after=2020-01-01T00:00"}) {
            assertThat(open("/queues/filtered?" + query).html())
                    .as(query)
                    .contains(one)
                    .doesNotContain(other);
        }
        assertThat(open("/queues/filtered?before=2020-01-01T00:00").html()).contains("No job matches");
        var wrong = open("/queues/filtered?status=lazy");
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.html()).contains("must be one of");
    }

    @Test
    void manyJobsArePages() {
        queue("many");
        String jobs = "{\"inputData\": 1},".repeat(59) + "{\"inputData\": 1}";
        app().post(API + "/queues/many/jobs", app().admin(), "{\"jobs\": [" + jobs + "]}");

        var first = open("/queues/many");
        var second = owner.follow(first, "cursor=");

        assertThat(rows(first)).isEqualTo(50);
        assertThat(rows(second)).isEqualTo(10);
        assertThat(second.html()).contains("From the beginning").doesNotContain("Next page");
    }

    private static int rows(Browser.Page page) {
        return page.html().split("aria-label=\"Job ", -1).length - 1;
    }

    @Test
    void aLongHostileInputIsCutAndTheRestIsAFile() {
        queue("long");
        String id = job("long", "{\"inputData\": {\"t\": \"%s\"}}".formatted("<&\u202E".repeat(30_000)));

        var page = open("/jobs/" + id);

        assertThat(page.html().length()).isLessThan(MOST);
        assertThat(page.html())
                .contains("This is the beginning.", "\u2039U+202E\u203A")
                .doesNotContain("\u202E", "<&");
        assertThat(open("/jobs/" + id + "/input").html()).hasSizeGreaterThan(90_000);
        assertThat(open("/jobs/" + id + "/output").status()).isEqualTo(404);
    }

    private String reported(String slug, String... messages) {
        queue(slug);
        String id = job(slug, "{}");
        String queue = app().get(API + "/queues/" + slug, app().admin())
                .json()
                .get("id")
                .stringValue();
        app().post("/v1/runner/jobs:claim", app().admin(), """
                {"queueId": "%s"}""".formatted(queue));
        for (String message : messages) {
            app().post("/v1/runner/jobs/" + id + ":progress", app().admin(), """
                    {"percent": 40, "message": "%s"}""".formatted(message));
        }
        return id;
    }

    @Test
    void theLogHasALineForEachThingThatHappened() {
        String id = reported("logged", "reads <b>one</b>", "reads two\\nand \u202Ethree");

        var page = open("/jobs/" + id);
        assertThat(page.html())
                .contains("Z enqueued\n", "Z claimed (attempt 1)\n", "progress (attempt 1) 40 %: reads &lt;b&gt;one")
                .contains("\n    and \u2039U+202E\u203athree<span id=\"log-end\">", ">5 lines<")
                .doesNotContain("<b>one");
        assertThat(open("/jobs/" + id + "?find=TWO").html())
                .contains("reads two", ">1 line<")
                .doesNotContain("reads &lt;b&gt;one");
        assertThat(open("/jobs/" + id + "?find=none").html()).contains("No line has this text.");
        assertThat(open("/jobs/" + id + "/log").html()).contains("reads <b>one</b>\n", "    and \u202Ethree\n");
    }

    @Test
    void aLongLogBeginsAtItsLastLines() {
        var messages = new String[40];
        Arrays.setAll(messages, i -> "line " + i + " " + "<".repeat(300));
        String id = reported("tail", messages);

        var page = open("/jobs/" + id);

        assertThat(page.html()).contains("the last lines", "line 39 ").doesNotContain(": line 0 ");
        assertThat(page.html().length()).isLessThan(MOST);
        assertThat(open("/jobs/" + id + "/log").html()).contains(": line 0 ", ": line 39 ");
    }

    @Test
    void deadLettersAreRetriedAndPurged() {
        queue("dead");
        String id = job("dead", "{}");
        fail(id);
        assertThat(status(id)).isEqualTo("failed");
        assertThat(open("/jobs/" + id).html()).contains("broke &lt;b&gt;", "Failed: bad_input");

        var dead = open("/queues/dead/dead");
        assertThat(dead.html()).contains(id);
        var retried =
                owner.post(at(ORG + "/queues/dead/jobs:retry"), "_token=" + token(dead) + "&status=failed&status=dead");
        assertThat(retried.html()).contains("1 job is tried again.", "No dead letters");
        assertThat(status(id)).isEqualTo("queued");

        fail(id);
        var purge = open("/queues/dead:purge?status=failed");
        String form = "_token=" + token(purge) + "&status=failed&typed=";
        assertThat(owner.post(at(ORG + "/queues/dead:purge"), form).status()).isEqualTo(422);
        assertThat(status(id)).isEqualTo("failed");
        assertThat(owner.post(at(ORG + "/queues/dead:purge"), form + "dead").html())
                .contains("1 job is purged.");
        assertThat(app().get(API + "/jobs/" + id, app().admin()).status()).isEqualTo(404);
    }

    @Test
    void onlyWhatTheFilterLeavesIsTriedAgain() {
        queue("some");
        String review = job("some", "{\"jobType\": \"review\"}");
        fail("some", review);
        String build = job("some", "{\"jobType\": \"build\"}");
        fail("some", build);
        String cancelled = job("some", "{\"jobType\": \"build\"}");
        app().post(API + "/jobs/" + cancelled + ":cancel", app().admin(), "{}");
        String form = "_token=" + token(open("/queues/some/dead"));
        String place = at(ORG + "/queues/some/jobs:retry");

        assertThat(owner.post(place, form + "&status=failed&before=2001-01-01T00:00")
                        .html())
                .contains("0 jobs are tried again.");
        assertThat(owner.post(place, form + "&status=failed&jobType=build").html())
                .contains("1 job is tried again.");
        assertThat(List.of(status(review), status(build), status(cancelled)))
                .containsExactly("failed", "queued", "cancelled");
        assertThat(owner.post(place, form + "&status=cancelled").html()).contains("1 job is tried again.");
        assertThat(status(cancelled)).isEqualTo("queued");

        var wrong = owner.post(place, form + "&status=completed&jobType=build");
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.html()).contains("value=\"build\"", "Nothing was changed.");
        assertThat(open("/jobs/" + build).html()).contains("Attempts", "1 of ");
    }

    private void fail(String id) {
        fail("dead", id);
    }

    private void fail(String slug, String id) {
        String queue = app().get(API + "/queues/" + slug, app().admin())
                .json()
                .get("id")
                .stringValue();
        var claimed = app().post("/v1/runner/jobs:claim", app().admin(), """
                {"queueId": "%s"}""".formatted(queue));
        assertThat(claimed.text()).contains(id);
        app().post("/v1/runner/jobs/" + id + ":fail", app().admin(), """
                {"errorCode": "bad_input", "errorMessage": "broke <b>", "shouldRetry": false}""");
    }

    private static String token(Browser.Page page) {
        String html = page.html();
        int at = html.indexOf("name=\"_token\" value=\"") + "name=\"_token\" value=\"".length();
        return html.substring(at, html.indexOf('"', at));
    }

    @Test
    void workersAreListedAndOneThatRunsStays() {
        queue("worked");
        String habitat = app().get(API + "/queues/worked", app().admin())
                .json()
                .get("habitatId")
                .stringValue();
        var worker = app().post("/v1/runner/workers:register", app().admin(), """
                {"instanceId": "one", "habitatId": "%s", "name": "<i>w</i>", "workerType": "test"}""".formatted(habitat));
        String id = worker.json().get("workerId").stringValue();

        assertThat(open("/workers").html()).contains("&lt;i&gt;w&lt;/i&gt;", id.substring(id.length() - 6));
        assertThat(open("/workers/" + id).html()).contains(id, "Online").doesNotContain(":deregister");
        var refused = owner.submit(open("/workers/" + id + ":deregister"), ":deregister", Map.of());

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.html()).contains("the worker is online");
    }

    @Test
    void aJobNamesItsWorker() {
        queue("manned");
        String id = job("manned", "{}");
        var queue = app().get(API + "/queues/manned", app().admin()).json();
        var worker = app().post("/v1/runner/workers:register", app().admin(), """
                {"instanceId": "two", "habitatId": "%s", "name": "night & day", "workerType": "test"}""".formatted(
                        queue.get("habitatId").stringValue()));
        var claimed = app().post("/v1/runner/jobs:claim", app().admin(), """
                {"queueId": "%s", "workerId": "%s"}""".formatted(
                queue.get("id").stringValue(), worker.json().get("workerId").stringValue()));

        assertThat(claimed.status()).as(claimed.text()).isEqualTo(200);
        assertThat(open("/queues/manned").html()).contains(">night &amp; day</a>");
        assertThat(open("/jobs/" + id).html()).contains(">night &amp; day</a>");
    }

    @Test
    void whatIsAnotherOrganizationsIsNotThere() {
        app().secondOrganization("faraway");
        queue("hidden");
        String id = job("hidden", "{}");
        try (var stranger = person("far@acme.test", "faraway", "owner")) {
            for (String path : new String[] {ORG + "/jobs/" + id, "/organizations/faraway/jobs/" + id}) {
                assertThat(stranger.open(at(path)).status()).as(path).isEqualTo(404);
            }
        }
    }
}
