package dev.sheaf.server.queue.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Reply;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What people do with queues, schedules, instructions and what makes jobs, without scripts.
class QueuePagesTest extends OnConsole {
    private static final String ORG = "/organizations/default";
    private static final String API = "/v1" + ORG;
    private static final String HOSTILE = "<script>alert(1)</script>\u202Etxt";

    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner = person("queues@acme.test", "default", "owner");
    }

    private Reply queue(String slug) {
        return app().post(API + "/queues", app().admin(), """
                {"name": "%s", "slug": "%s"}""".formatted(slug, slug));
    }

    private Browser.Page open(String path) {
        return owner.open(at(ORG + path));
    }

    @Test
    void aQueueIsMadeOnAPageAndListed() {
        var page = open("/queues:new");

        var made = owner.submit(page, "/queues", Map.of("name", "Nightly reviews", "maxAttempts", "7"));

        assertThat(made.place().getPath()).isEqualTo(ORG + "/queues/nightly-reviews");
        assertThat(made.html()).contains("The queue nightly-reviews is created.", "Up to 7 attempts");
        assertThat(open("/queues").html()).contains("href=\"/organizations/default/queues/nightly-reviews\"");
    }

    @Test
    void whatIsWrongWithAQueueStandsBesideItsField() {
        var page = open("/queues:new");

        var shown = owner.submit(page, "/queues", Map.of("name", "Too often", "maxAttempts", "1000"));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html())
                .contains("value=\"Too often\"", "value=\"1000\"", "id=\"error-maxAttempts\"", "Nothing was changed.");
    }

    @Test
    void namesThatPeopleWroteAreText() {
        app().post(API + "/queues", app().admin(), """
                {"name": "%s", "slug": "hostile", "description": "%s"}""".formatted(HOSTILE, "x".repeat(2_000)));

        for (String path : new String[] {"/queues", "/queues/hostile"}) {
            assertThat(open(path).html()).doesNotContain("<script>alert").contains("&lt;script&gt;alert(1)");
        }
        assertThat(open("/queues/hostile").html())
                .contains("\u2039U+202E\u203A")
                .doesNotContain("\u202E");
    }

    @Test
    void aQueueIsPausedResumedAndChanged() {
        queue("turned");

        var paused = owner.submit(open("/queues/turned"), ":pause", Map.of());
        assertThat(paused.html()).contains("Paused", "Resume <span class=\"u\">turned</span>");
        assertThat(owner.submit(paused, ":resume", Map.of()).html()).contains("Active");
        owner.submit(open("/queues/turned/settings"), "/settings", Map.of("name", "Turned round", "maxRunning", "3"));

        var now = app().get(API + "/queues/turned", app().admin()).json();
        assertThat(now.get("name").stringValue()).isEqualTo("Turned round");
        assertThat(now.get("maxRunning").intValue()).isEqualTo(3);
    }

    @Test
    void savingSettingsKeepsWhatNobodyTouched() {
        app().post(API + "/queues", app().admin(), """
                {"name": "Kept", "slug": "kept", "leaseSeconds": 90, "retry": {"baseSeconds": 7, "capSeconds": 70},
                 "events": ["failed", "dead"], "execution": {"environment": {"A": "b"}}}""");
        var before = app().get(API + "/queues/kept", app().admin()).json();
        var page = open("/queues/kept/settings");

        owner.post(
                at(ORG + "/queues/kept/settings"),
                "_token=" + token(page) + "&name=Kept&leaseSeconds=90&maxAttempts=3&timeoutSeconds=600&maxDepth=100000"
                        + "&retentionDays=30&baseSeconds=7&capSeconds=70&events=failed&events=dead&habitatId="
                        + before.get("habitatId").stringValue()
                        + "&execution=%7B%22environment%22%3A%7B%22A%22%3A%22b%22%7D%7D");

        var after = app().get(API + "/queues/kept", app().admin()).json();
        for (String member : new String[] {"slug", "leaseSeconds", "retry", "events", "execution", "habitatId"}) {
            assertThat(after.get(member)).as(member).isEqualTo(before.get(member));
        }
    }

    @Test
    void whoSavesOverWhatSomebodyElseSavedIsShownWhatChanged() {
        queue("raced");
        var mine = open("/queues/raced/settings");
        app().send("PATCH", API + "/queues/raced", app().admin(), """
                {"description": "Theirs <b>", "maxRunning": 9}""");

        var lost = owner.submit(mine, "/settings", Map.of("name", "Mine", "description", "My words"));

        assertThat(lost.status()).isEqualTo(412);
        assertThat(lost.html())
                .contains("Somebody else changed this after you opened the page.", "value=\"Mine\"", "My words")
                .containsPattern("(?s)id=\"error-description\">.*?set description to “Theirs &lt;b&gt;”")
                .containsPattern("(?s)id=\"error-maxRunning\">.*?set maxRunning to “9”")
                .doesNotContain("error-name", "error-slug", "error-leaseSeconds");
        assertThat(app().get(API + "/queues/raced", app().admin()).text()).contains("Theirs <b>");

        var saved = owner.submit(lost, "/settings", Map.of("description", "Both"));

        assertThat(saved.html()).contains("The settings apply from now on.");
        assertThat(app().get(API + "/queues/raced", app().admin()).text()).contains("\"Both\"", "\"Mine\"");
    }

    /// Jobs come and go all the time, and change no settings.
    @Test
    void jobsThatCameMeanwhileAreNoRace() {
        queue("busy");
        var page = open("/queues/busy/settings");
        app().post(API + "/queues/busy/jobs", app().admin(), "{}");

        assertThat(owner.submit(page, "/settings", Map.of("name", "Busier")).html())
                .contains("The settings apply from now on.");
    }

    @Test
    void whatSomebodyElsePausedMeanwhileIsSaidToo() {
        queue("paused");
        var page = open("/queues/paused/settings");
        app().post(API + "/queues/paused:pause", app().admin(), "{}");

        var lost = owner.submit(page, "/settings", Map.of("name", "Late"));

        assertThat(lost.status()).isEqualTo(412);
        assertThat(lost.html()).contains("After you opened this page, somebody else changed something");
    }

    @Test
    void aRouteThatSomebodyElseChangedIsNotReplacedUnseen() {
        queue("forked");
        String queue = app().get(API + "/queues/forked", app().admin())
                .json()
                .get("id")
                .stringValue();
        String id = app().post(API + "/routes", app().admin(), """
                {"name": "one", "eventTypes": ["version.*"], "queueId": "%s"}""".formatted(queue))
                .json()
                .get("id")
                .stringValue();
        var mine = open("/routes/" + id);
        app().send("PATCH", API + "/routes/" + id, app().admin(), "{\"subject\": \"acme/theirs\"}");

        var lost = owner.submit(
                mine, "/routes/" + id, Map.of("name", "mine", "queueId", queue, "eventTypes", "version.*"));

        assertThat(lost.status()).isEqualTo(412);
        assertThat(lost.html())
                .containsPattern("(?s)id=\"error-subject\">.*?“acme/theirs”")
                .contains("value=\"mine\"");
        app().send("DELETE", API + "/routes/" + id, app().admin(), null);
    }

    private static String token(Browser.Page page) {
        String html = page.html();
        int at = html.indexOf("name=\"_token\" value=\"") + "name=\"_token\" value=\"".length();
        return html.substring(at, html.indexOf('"', at));
    }

    @Test
    void aQueueGoesOnlyWhenItsSlugIsTyped() {
        queue("goes");
        var page = open("/queues/goes:delete");

        var refused = owner.submit(page, ":delete", Map.of("typed", "other"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(app().get(API + "/queues/goes", app().admin()).status()).isEqualTo(200);
        owner.submit(refused, ":delete", Map.of("typed", "goes"));

        assertThat(app().get(API + "/queues/goes", app().admin()).status()).isEqualTo(404);
    }

    @Test
    void anInstructionIsTriedBeforeItIsMade() {
        queue("told");
        var editor = open("/queues/told/instructions:new");
        var typed = Map.of(
                "name",
                "Review",
                "template",
                "Review {{ input.url }}.",
                "input",
                "{\"url\": \"<b>here\"}",
                "active",
                "true");

        var tried = owner.post(
                at(ORG + "/queues/told/instructions:render"),
                "_token=" + token(editor) + "&name=Review&template=Review+%7B%7B+input.url+%7D%7D.&input="
                        + "%7B%22url%22%3A+%22%3Cb%3Ehere%22%7D");
        assertThat(tried.status()).isEqualTo(200);
        assertThat(tried.html()).contains("Review &lt;b&gt;here.", "id=\"preview\"");
        var made = owner.submit(tried, "instructions\"", typed);

        assertThat(made.html()).contains("Version 1 is created, and workers get it from now on.");
        var off = owner.submit(made, ":deactivate", Map.of());
        assertThat(off.html()).contains("Activate 1");
    }

    @Test
    void aTemplateThatIsNoLiquidIsSaidBesideThePreview() {
        queue("broken");
        var editor = open("/queues/broken/instructions:new");

        var shown = owner.submit(editor, "instructions\"", Map.of("name", "X", "template", "{{ input.", "input", "{}"));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html()).contains("{{ input.", "id=\"error-template\"", "Nothing was changed.");
        var tried = owner.post(
                at(ORG + "/queues/broken/instructions:render"),
                "_token=" + token(editor) + "&name=X&template=%7B%7B+input.&input=%7B%7D");
        assertThat(tried.html())
                .contains("The template cannot be rendered.", "id=\"error-template\"")
                .doesNotContain("Nothing was changed.");
    }

    @Test
    void aScheduleIsAddedTurnedOffAndDeleted() {
        queue("timed");
        var wrong = owner.submit(open("/queues/timed/schedules"), "/schedules", Map.of("cron", "often"));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.html()).contains("value=\"often\"", "id=\"error-cron\"");

        var added = owner.submit(wrong, "/schedules\"", Map.of("name", "Nightly", "cron", "30 2 * * *"));
        assertThat(added.html()).contains("The schedule Nightly is created.");
        assertThat(owner.submit(added, ":disable", Map.of()).html()).contains("Disabled");
        owner.submit(owner.follow(added, ":delete"), ":delete", Map.of());

        assertThat(app().get(API + "/queues/timed/schedules", app().admin())
                        .json()
                        .get("data"))
                .isEmpty();
    }

    @Test
    void aRouteIsMadeTurnedOffAndDeleted() {
        String id = queue("routed").json().get("id").stringValue();
        var wrong = owner.submit(
                open("/routes:new"), "/routes", Map.of("name", "R", "eventTypes", "nothing.happens", "queueId", id));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.html()).contains("nothing.happens", "id=\"error-eventTypes\"");

        var made = owner.submit(
                wrong, "/routes", Map.of("name", "On publish", "eventTypes", "version.published", "queueId", id));
        assertThat(made.html()).contains("On publish", "version.published");
        assertThat(owner.submit(made, ":disable", Map.of()).html()).contains("Disabled");
        owner.submit(owner.follow(made, ":delete"), ":delete", Map.of());

        assertThat(app().get(API + "/routes", app().admin()).json().get("data")).isEmpty();
    }

    @Test
    void aHabitatIsMadeRenamedAndDeleted() {
        var made = owner.submit(open("/habitats"), "/habitats", Map.of("name", "Build machines", "slug", "build"));
        assertThat(made.html()).contains("The habitat build is created.");

        var renamed = owner.submit(
                open("/habitats/build"), "/habitats/build", Map.of("name", "Old machines", "habitatType", "cloud"));
        assertThat(renamed.html()).contains("Old machines");
        owner.submit(open("/habitats/build:delete"), ":delete", Map.of());

        assertThat(app().get(API + "/habitats/build", app().admin()).status()).isEqualTo(404);
    }

    @Test
    void whatIsAnotherOrganizationsIsNotThere() {
        app().secondOrganization("elsewhere");
        queue("mine");
        try (var stranger = person("stranger@acme.test", "elsewhere", "owner")) {
            for (String path : new String[] {"/queues", "/queues/mine", "/queues/none", "/workers", "/routes"}) {
                assertThat(stranger.open(at(ORG + path)).status()).as(path).isEqualTo(404);
            }
        }
        assertThat(open("/queues/none").status()).isEqualTo(404);
    }

    @Test
    void aFormWithoutItsTokenAndAReaderChangeNothing() {
        queue("still");
        assertThat(owner.post(at(ORG + "/queues/still:pause"), "x=1").status()).isEqualTo(403);
        try (var reader = person("reader@acme.test", "default", "reader")) {
            var page = reader.open(at(ORG + "/queues/still"));

            assertThat(page.html()).doesNotContain(":pause", "jobs:new");
            String form = "_token=" + token(reader.open(at("/account")));
            assertThat(reader.post(at(ORG + "/queues/still:pause"), form).status())
                    .isEqualTo(403);
            assertThat(reader.open(at(ORG + "/queues/still/settings")).html())
                    .contains("<fieldset class=\"stack\" disabled>")
                    .doesNotContain("Save the settings", ":purge");
            for (String asked : new String[] {"/queues:new", "/queues/still:delete", "/queues/still:purge"}) {
                assertThat(reader.open(at(ORG + asked)).status()).as(asked).isEqualTo(403);
            }
        }
        assertThat(app().get(API + "/queues/still", app().admin())
                        .json()
                        .get("status")
                        .stringValue())
                .isEqualTo("active");
    }
}
