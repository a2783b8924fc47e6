package dev.sheaf.server.queue.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What pages say about jobs that failed, and what they offer.
class EndedPagesTest extends OnConsole {
    private static final String ORG = "/organizations/default";
    private static final String API = "/v1" + ORG;

    private Browser owner = new Browser();

    @Override
    public boolean isByHand() {
        return false;
    }

    @Override
    public void prepare() {
        owner = person("ended@acme.test", "default", "owner");
    }

    private void queue(String slug) {
        app().post(API + "/queues", app().admin(), """
                {"name": "%s", "slug": "%s", "maxAttempts": 1, "retentionDays": 12}""".formatted(slug, slug));
    }

    private String job(String slug) {
        return app().post(API + "/queues/" + slug + "/jobs", app().admin(), "{}")
                .json()
                .get("id")
                .stringValue();
    }

    private String failed(String slug, String code, String message) {
        String id = job(slug);
        fail(slug, id, code, message, false);
        return id;
    }

    private void fail(String slug, String id, String code, String message, boolean again) {
        String queue = app().get(API + "/queues/" + slug, app().admin())
                .json()
                .get("id")
                .stringValue();
        var claimed = app().post("/v1/runner/jobs:claim", app().admin(), """
                {"queueId": "%s"}""".formatted(queue));
        assertThat(claimed.text()).contains(id);
        var reply = app().post("/v1/runner/jobs/" + id + ":fail", app().admin(), """
                {"errorCode": "%s", "errorMessage": "%s", "shouldRetry": %s}""".formatted(code, message, again));
        assertThat(reply.status()).isEqualTo(200);
    }

    private Browser.Page open(String path) {
        return owner.open(at(ORG + path));
    }

    @Test
    void deadLettersSayHowLongTheyAreKept() {
        queue("kept");

        assertThat(open("/queues/kept/dead").html()).contains("Each is kept for 12 days after it ended");
    }

    @Test
    void theCommandPurgesWhatThePagePurges() {
        queue("purged");

        assertThat(open("/queues/purged:purge?status=dead").html())
                .contains("sheaf queue purge purged --status dead<")
                .doesNotContain("--status completed");
        assertThat(open("/queues/purged:purge").html()).contains("sheaf queue purge purged --status completed<");
        var refused = owner.submit(open("/queues/purged:purge"), ":purge", Map.of("typed", "other"));
        assertThat(refused.html())
                .contains("Type the name of the queue, purged, to confirm.")
                .doesNotContain("must be purged");
    }

    @Test
    void aListShowsTheLastLineAndAllOnDemand() {
        queue("lines");
        String id = failed("lines", "exit_1", "Traceback:\\n  many lines <b>\\ncannot open config /etc/x\\n");

        for (String path : new String[] {"/queues/lines/dead", "/jobs/" + id}) {
            assertThat(open(path).html())
                    .as(path)
                    .containsPattern("<summary><span[^>]*>cannot open config /etc/x</span></summary>")
                    .contains("  many lines &lt;b&gt;\ncannot open");
        }
        assertThat(open("/jobs/" + id + "/attempts").html()).contains("Traceback:");
        assertThat(open("/jobs/" + id + "/history").html()).contains("failed");
    }

    @Test
    void aJobPageStaysSmallWithManyLongMessages() {
        queue("long");
        String message = "<".repeat(4_000) + "\\nlast line";
        String id = failed("long", "exit_1", message);
        for (int i = 0; i < 12; i++) {
            app().post(API + "/jobs/" + id + ":retry", app().admin(), "{}");
            fail("long", id, "exit_1", message, false);
        }

        var page = open("/jobs/" + id);

        assertThat(page.html().split("<span[^>]*>last line</span>", -1)).hasSizeGreaterThan(12);
        assertThat(page.html()).hasSizeLessThan(100 << 10).contains("/jobs/" + id + "/attempts\"");
    }

    @Test
    void anErrorCodeLeadsToItsJobs() {
        queue("codes");
        String one = failed("codes", "exit_3", "one");
        String other = failed("codes", "exit_4", "other");

        var shown = owner.follow(open("/queues/codes"), "error=exit_3");

        assertThat(shown.place().getPath()).isEqualTo(ORG + "/queues/codes/dead");
        assertThat(shown.html()).contains(one, "Show all").doesNotContain(other);
    }

    @Test
    void oneDeadLetterIsRetriedFromTheList() {
        queue("single");
        String one = failed("single", "exit_1", "one");
        String other = failed("single", "exit_1", "other");

        var shown = owner.submit(open("/queues/single/dead"), one + ":retry", Map.of());

        assertThat(shown.place().getPath()).endsWith("/dead");
        assertThat(shown.html()).contains("is tried again.", other).doesNotContain(one);
    }

    @Test
    void oneDeadLetterIsDeletedAfterAQuestion() {
        queue("drop");
        String one = failed("drop", "exit_1", "one");
        String other = failed("drop", "exit_1", "other");
        var asked = owner.follow(open("/queues/drop/dead"), one + ":delete");
        assertThat(asked.html()).contains("Delete the job …");

        var shown = owner.submit(asked, one + ":delete", Map.of());

        assertThat(shown.html()).contains("is deleted.", other).doesNotContain(one);
        assertThat(app().get(API + "/jobs/" + one, app().admin()).status()).isEqualTo(404);
    }

    @Test
    void stateAndDurationsAreSentences() {
        queue("used");
        String id = job("used");
        fail("used", id, "exit_1", "broke", true);

        assertThat(open("/jobs/" + id).html())
                .contains("All its attempts have failed.")
                .doesNotContain("attempts-used-up");
        assertThat(open("/queues/used").html()).contains(", 10 min each").doesNotContain("10 min 0 s");
    }

    @Test
    void aNewInstructionIsActiveUnlessSomebodyDeclines() {
        queue("active");
        var editor = open("/queues/active/instructions:new");
        assertThat(editor.html()).containsPattern("name=\"active\"[^>]* checked");

        var made = owner.submit(editor, "instructions\"", Map.of("name", "N", "template", "Do it.", "input", "{}"));

        assertThat(made.html()).contains("workers get it from now on.");
        var broken = owner.post(
                at(ORG + "/queues/active/instructions:render"),
                "_token=" + token(editor) + "&name=N&template=%7B%7B&input=%7B%7D");
        assertThat(broken.html()).contains("The template cannot be rendered.").doesNotContain("Nothing was changed.");
    }

    @Test
    void markedJobsAreRetriedAndTheOthersAreNamed() {
        queue("marked");
        String one = failed("marked", "exit_1", "one");
        String two = failed("marked", "exit_1", "two");
        String open = job("marked");
        var list = open("/queues/marked?type=job");

        var shown = owner.post(
                at(ORG + "/queues/marked/jobs:retry?which=marked&status=failed"),
                "_token=" + token(list) + "&ids=" + one + "&ids=" + open);

        assertThat(shown.place().toString()).endsWith("/queues/marked?status=failed");
        assertThat(shown.html())
                .contains("1 job is tried again.", "…" + open.substring(30) + ": it is queued; only jobs that are")
                .contains("job-" + two)
                .doesNotContain("job-" + one);
        assertThat(owner.post(at(ORG + "/queues/marked/jobs:retry?which=marked"), "_token=" + token(list))
                        .html())
                .contains("No job is marked.");
        assertThat(owner.post(
                                at(ORG + "/queues/marked/jobs:cancel?which=marked"),
                                "_token=" + token(list) + "&ids=none")
                        .html())
                .contains("No job is cancelled.");
    }

    @Test
    void whatSomebodyCancelledIsOnlyTriedAgainByChoice() {
        queue("choice");
        String failed = failed("choice", "exit_1", "one");
        String cancelled = job("choice");
        String more = job("choice");
        for (String id : new String[] {cancelled, more}) {
            app().post(API + "/jobs/" + id + ":cancel", app().admin(), "{}");
        }
        var list = open("/queues/choice");
        assertThat(list.html()).contains(">Retry all 1 that failed or are dead<");

        var asked = owner.follow(list, "jobs:retry");
        assertThat(asked.html())
                .contains("Retry which jobs of choice?", " Failed: 1</label>", " Cancelled: 2</label>")
                .containsPattern("value=\"failed\" checked")
                .doesNotContainPattern("value=\"cancelled\" checked");
        var none = owner.post(asked.place().resolve(action(asked)).toString(), "_token=" + token(asked));
        assertThat(none.html()).contains("No state is chosen.");
        assertThat(owner.submit(asked, "jobs:retry", Map.of("status", "failed")).html())
                .contains("1 job is tried again.");

        assertThat(status(failed)).isEqualTo("queued");
        assertThat(status(cancelled)).isEqualTo("cancelled");
        assertThat(open("/queues/choice").html()).contains(">Retry all 2 that are cancelled<");
        var both = owner.submit(open("/queues/choice/jobs:retry"), "jobs:retry", Map.of());
        assertThat(both.html()).contains("2 jobs are tried again.");
        assertThat(open("/queues/choice/dead").html()).containsPattern("Cancelled <span class=\"num faint\">0</span>");
    }

    private String status(String job) {
        return app().get(API + "/jobs/" + job, app().admin())
                .json()
                .get("status")
                .stringValue();
    }

    private static String action(Browser.Page page) {
        String html = page.html();
        int at = html.indexOf("action=\"", html.indexOf("<main")) + "action=\"".length();
        return html.substring(at, html.indexOf('"', at)).replace("&amp;", "&");
    }

    @Test
    void aJobThatIsTriedAgainKeepsHowItEndedInItsLogAndNotInItsState() {
        queue("again");
        String cancelled = job("again");
        for (String verb : new String[] {":cancel", ":retry", ":cancel", ":retry"}) {
            app().post(API + "/jobs/" + cancelled + verb, app().admin(), "{}");
        }
        assertThat(types(cancelled)).containsExactly("enqueued", "cancelled", "retried", "cancelled", "retried");
        assertThat(open("/jobs/" + cancelled).html()).containsPattern("(?s)Z cancelled\\n.*Z retried\\n");
        app().post(API + "/jobs/" + cancelled + ":cancel", app().admin(), "{}");

        String dead = job("again");
        fail("again", dead, "exit_1", "broke", true);
        assertThat(open("/jobs/" + dead).html()).contains("Dead: exit_1", "Why it failed");
        app().post(API + "/jobs/" + dead + ":retry", app().admin(), "{}");

        assertThat(types(dead)).containsExactly("enqueued", "claimed", "failed", "dead", "retried");
        assertThat(open("/jobs/" + dead).html())
                .contains(">Queued<", "Why an earlier attempt failed")
                .doesNotContain("Queued: exit_1", "Why it failed");
        assertThat(open("/queues/again").html()).doesNotContain("Queued: exit_1");
    }

    private List<String> types(String job) {
        return app().get(API + "/jobs/" + job + "/events", app().admin())
                .json()
                .get("data")
                .valueStream()
                .map(event -> event.get("type").stringValue())
                .toList();
    }

    @Test
    void theJobsOfAQueueAreATableForItsReaders() {
        queue("table");
        String failed = failed("table", "exit_1", "one\\nthe last line");
        String waits = job("table");
        try (var reader = person("table@acme.test", "default", "reader")) {
            var list = reader.open(at(ORG + "/queues/table?status=failed"));
            assertThat(list.html()).contains(ORG + "/queues/table/export.csv?status=failed\"");
            var all = reader.open(at(ORG + "/queues/table/export.csv")).html();
            var some = reader.open(at(ORG + "/queues/table/export.csv?status=failed"))
                    .html();

            assertThat(all.lines()).hasSize(3);
            assertThat(all)
                    .startsWith("\"id\",\"type\",\"state\"")
                    .contains("\"" + waits + "\",\"default\",\"queued\"")
                    .containsPattern("\"" + failed + "\",.*,\"exit_1\",\"the last line\",.*\"key:[0-9a-f-]{36}\"");
            assertThat(some.lines()).hasSize(2);
            assertThat(reader.open(at(ORG + "/queues/table/export.csv?status=odd"))
                            .status())
                    .isEqualTo(422);
        }
        try (var stranger = browser()) {
            assertThat(stranger.open(at(ORG + "/queues/table/export.csv")).html())
                    .doesNotContain(failed);
        }
    }

    @Test
    void allThatMatchAreChangedAfterOneQuestionWithTheirNumber() {
        queue("matching");
        String one = failed("matching", "exit_1", "one");
        String two = failed("matching", "exit_1", "two");
        String waits = job("matching");
        assertThat(open("/queues/matching").html())
                .contains(">Retry all 2 that failed or are dead<", ">Cancel all 1 that wait or run<");
        var asked = owner.follow(open("/queues/matching?status=failed"), "jobs:retry?");
        assertThat(asked.html()).contains("Retry 2 jobs of matching?", "They are failed.");
        app().post(API + "/jobs/" + waits + ":cancel", app().admin(), "{}");
        String later = failed("matching", "exit_1", "later");

        var shown = owner.submit(asked, "jobs:retry", Map.of());

        assertThat(shown.html())
                .contains("2 jobs are tried again.", "job-" + later)
                .doesNotContain("job-" + one, "job-" + two);
        assertThat(open("/queues/matching/jobs:retry?status=completed").html())
                .contains("No job is tried again.", "may only contain");
        assertThat(open("/queues/matching/jobs:cancel?type=none").html())
                .contains("No job matches that could be cancelled.");
    }

    /// The numbers of the last hour of a large queue cost more than the rest.
    @Test
    void aQuickRefreshOfALargeQueueLeavesOutWhatCostsMore() {
        queue("quick");
        failed("quick", "exit_1", "one");
        String place = at(ORG + "/queues/quick");
        assertThat(owner.refresh(place).html())
                .contains("In the last hour 1 came in and 1 ended.", "id=\"failures\"")
                .contains(
                        "<b>1 job came in</b>",
                        "<b>1 job ended</b>",
                        "<b>1 job failed</b>",
                        "1 job failed in the last hour")
                .doesNotContain("data-live-keep");

        app().database().write(tx -> tx.change("""
                        UPDATE job_count SET count = count + 10000
                        WHERE status = 'failed' AND scope_id = (SELECT id FROM queue WHERE slug = 'quick')
                        """));

        assertThat(owner.open(place).html()).contains("In the last hour", "Counted once a minute.");
        assertThat(owner.refresh(place).html())
                .contains(
                        "id=\"counts\"",
                        "id=\"hour\" data-live-keep",
                        "id=\"failures\" data-live-keep",
                        "id=\"course\" data-live-keep")
                .doesNotContain("In the last hour");
    }

    @Test
    void aReaderIsOfferedNoChangeOfJobs() {
        queue("looked");
        failed("looked", "exit_1", "one");
        try (var reader = person("looking@acme.test", "default", "reader")) {
            var page = reader.open(at(ORG + "/queues/looked"));

            assertThat(page.html()).contains("job-").doesNotContain("jobs:retry", "jobs:cancel", "name=\"ids\"");
            assertThat(reader.open(at(ORG + "/queues/looked/jobs:cancel")).status())
                    .isEqualTo(403);
        }
    }

    private static String token(Browser.Page page) {
        String html = page.html();
        int at = html.indexOf("name=\"_token\" value=\"") + "name=\"_token\" value=\"".length();
        return html.substring(at, html.indexOf('"', at));
    }
}
