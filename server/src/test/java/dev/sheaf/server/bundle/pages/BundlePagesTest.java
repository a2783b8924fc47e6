package dev.sheaf.server.bundle.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.server.console.FileScenario;
import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.event.EventSweep;
import dev.sheaf.server.event.Numbered;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The first page of a bundle, and its versions.
class BundlePagesTest extends OnConsole {
    private Browser anybody = new Browser();

    @Override
    public void prepare() {
        anybody = browser();
        app().push("acme/open", "1.0.0", "public", "# Open");
        app().push("acme/hidden", "1.0.0", "private", "# Hidden");
        String other = app().secondOrganization("theirs");
        app().send("POST", "/v1/namespaces/theirs/bundles", other, "{\"slug\": \"secret\"}");
    }

    private Reply edit(String bundle, String json) {
        return app().send("PATCH", "/v1/namespaces/acme/bundles/" + bundle, app().admin(), json);
    }

    private Reply asAnybody(String path, String... headers) {
        var request = app().request("GET", path, null, null).setHeader("Accept", "text/html");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return app().send(request);
    }

    @Test
    void tellsHowToGetTheLatestVersion() {
        String digest = app().get("/v1/namespaces/acme/bundles/open/versions/1.0.0", null)
                .json()
                .get("ociDigest")
                .stringValue();

        var page = anybody.open(at("/acme/open"));

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.html())
                .contains(
                        "sheaf add acme/open<",
                        "sheaf pull acme/open@" + digest + "<",
                        "git clone " + at("/acme/open.git") + "<",
                        "class=\"stalks\"",
                        "Public")
                .doesNotContain("Settings");
    }

    @Test
    void showsOfAReadmeOnlyWhatDoesNothing() {
        app().push("acme/hostile", "1.0.0", "public", "# Hostile");
        edit("hostile", """
                {"description": "<script>alert(1)</script>\\u202edlrow", "license": "MIT\\u202e", "readmeContent": "# Top\\n\\n#### Deep\\n\\n\
                <script>alert(2)</script><img src=x onerror=alert(3)> <p style='position:fixed'>x</p>\\n\\n[a](javascript:alert(4))\\n\\n\
                ![shot](https://evil.test/pixel.png) [mine](docs/a%20b.md)\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |\\n"}""");

        String html = anybody.open(at("/acme/hostile")).html();

        assertThat(html)
                .contains(
                        "<h2>Top</h2>",
                        "<h3>Deep</h3>",
                        "href=\"https://evil.test/pixel.png\"",
                        "href=\"/acme/hostile/versions/latest/files/docs/a%20b.md\"",
                        "<div class=\"scroll\" tabindex=\"0\"",
                        "&lt;script&gt;alert(1)",
                        "‹U+202E›")
                .doesNotContain("<script>alert", "onerror", "style=", "javascript:", "<img", "\u202e");
    }

    @Test
    void aPrivateBundleOfOthersLooksLikeAMissingOne() {
        try (var owner = person("looks@acme.test", "default", "owner")) {
            for (String rest : new String[] {"", "/versions", "/tags", "/tags/latest"}) {
                for (var browser : new Browser[] {owner, anybody}) {
                    var hidden = browser.open(at("/theirs/secret" + rest));
                    var missing = browser.open(at("/theirs/nowhere" + rest));

                    assertThat(hidden.status()).as(rest).isEqualTo(404);
                    assertThat(missing.status()).as(rest).isEqualTo(404);
                    assertThat(same(hidden, "secret")).isEqualTo(same(missing, "nowhere"));
                }
            }
        }
    }

    private static String same(Browser.Page page, String slug) {
        return page.html().replace(slug, "it").replaceAll("[0-9a-f]{32}", "id");
    }

    @Test
    void aMemberSeesAPrivateBundleWithALock() {
        try (var reader = person("reads@acme.test", "default", "reader")) {
            var page = reader.open(at("/acme/hidden"));

            assertThat(page.status()).isEqualTo(200);
            assertThat(page.html())
                    .contains("Private")
                    .doesNotContain("Settings", "npx skills add " + at("/acme/hidden") + "<");
        }
        assertThat(anybody.open(at("/acme/hidden")).status()).isEqualTo(404);
    }

    @Test
    void noTabLeadsToFilesThatNobodyFinds() {
        app().push("acme/gone", "1.0.0", "public", "# Gone");
        assertThat(anybody.open(at("/acme/gone")).html()).contains("href=\"/acme/gone/versions/latest\"");

        app().post("/v1/namespaces/acme/bundles/gone/versions/1.0.0:yank", app().admin(), "{\"reason\": \"bad\"}");

        assertThat(anybody.open(at("/acme/gone")).html())
                .contains("Every version is yanked", "href=\"/acme/gone/versions/1.0.0\"")
                .doesNotContain("/acme/gone/versions/latest");
        assertThat(anybody.open(at("/acme/gone/versions")).html()).doesNotContain("/acme/gone/versions/latest");
    }

    @Test
    void whoMayWriteIsLedToTheSettings() {
        try (var publisher = person("writes@acme.test", "default", "publisher")) {
            assertThat(publisher.open(at("/acme/open")).html()).contains("href=\"/acme/open/settings\"");
        }
    }

    @Test
    void aStarIsGivenAndTakenBack() {
        app().push("acme/starred", "1.0.0", "public", "# Starred");
        try (var person = person("stars@acme.test", "default", "reader")) {
            var given = person.submit(person.open(at("/acme/starred")), "/star", Map.of());
            assertThat(given.html()).contains("You have starred acme/starred.", "Remove the star");

            var taken = person.submit(given, "/unstar", Map.of());
            assertThat(taken.html()).contains("Your star is removed.").doesNotContain("Remove the star");

            assertThat(person.post(at("/acme/starred/star"), "x=1").status()).isEqualTo(403);
        }
    }

    @Test
    void everybodyGetsTheSamePageUntilTheBundleChanges() {
        app().push("acme/kept", "1.0.0", "public", "# Kept");
        var first = asAnybody("/acme/kept");
        String etag = first.header("ETag");
        assertThat(first.header("Cache-Control")).isEqualTo("public, max-age=0, must-revalidate");
        assertThat(asAnybody("/acme/kept", "If-None-Match", etag).status()).isEqualTo(304);

        edit("kept", "{\"description\": \"now described\"}");

        var changed = asAnybody("/acme/kept", "If-None-Match", etag);
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text()).contains("now described");
    }

    @Test
    void aPageThatWasPublicIsNotShownOnceItIsPrivate() {
        app().push("acme/closing", "1.0.0", "public", "# Closing");
        String etag = asAnybody("/acme/closing").header("ETag");

        edit("closing", "{\"visibility\": \"private\"}");

        assertThat(asAnybody("/acme/closing", "If-None-Match", etag).status()).isEqualTo(404);
    }

    @Test
    void whatOneViewerIsToldIsNotToldToAnother() {
        app().push("acme/who", "1.0.0", "public", "# Who");
        try (var owner = person("who@acme.test", "default", "owner")) {
            assertThat(owner.open(at("/acme/who")).html()).contains("key:", "who@acme.test");
        }
        assertThat(anybody.open(at("/acme/who")).html()).doesNotContain("key:", "who@acme.test");
        assertThat(anybody.open(at("/acme/who/tags")).html()).doesNotContain("key:");
        assertThat(anybody.open(at("/acme/who?x=1")).html()).doesNotContain("key:");
    }

    @Test
    void yankAndDeprecationAreSaid() {
        app().push("acme/old", "1.0.0", "public", "# Old");
        app().post(
                        "/v1/namespaces/acme/bundles/old:deprecate",
                        app().admin(),
                        "{\"message\": \"no longer kept\", \"replacement\": \"acme/open\"}");
        app().post(
                        "/v1/namespaces/acme/bundles/old/versions/1.0.0:yank",
                        app().admin(),
                        "{\"reason\": \"loses data\"}");

        String html = anybody.open(at("/acme/old")).html();

        assertThat(html)
                .contains(
                        "This bundle is deprecated", "no longer kept", "Every version is yanked", "Deprecated</span>");
        assertThat(anybody.open(at("/acme/old/versions")).html()).contains("Yanked: loses data");
    }

    @Test
    void manyVersionsComeInPages() {
        for (int i = 0; i < 52; i++) {
            app().push("acme/many", "1.0." + i, "public", "# Many " + i);
        }
        var first = anybody.open(at("/acme/many/versions"));
        assertThat(first.html())
                .contains("for 1.0.51\"", "Versions <span class=\"num\">52</span>")
                .doesNotContain("for 1.0.1\"", "Previous page");

        var second = anybody.follow(first, "below=");
        assertThat(second.html())
                .contains("for 1.0.1\"", "for 1.0.0\"", "From the beginning")
                .doesNotContain("for 1.0.51\"", "for 1.0.2\"", "Next page");

        var back = anybody.follow(second, "above=");
        assertThat(back.html())
                .contains("for 1.0.51\"", "for 1.0.2\"", "Next page")
                .doesNotContain("for 1.0.1\"", "Previous page");
    }

    @Test
    void aVersionIsFoundByTheBeginningOfItsNumber() {
        for (String version : new String[] {"1.2.0", "1.2.1-rc.1", "1.20.0", "2.0.0"}) {
            app().push("acme/find", version, "public", "# Find " + version);
        }

        assertThat(anybody.open(at("/acme/find/versions?q=1.2")).html())
                .contains("for 1.2.0\"", "for 1.2.1-rc.1\"")
                .doesNotContain("for 1.20.0\"", "for 2.0.0\"");
        assertThat(anybody.open(at("/acme/find/versions?q=1.*")).html())
                .contains("for 1.2.0\"", "for 1.20.0\"")
                .doesNotContain("for 2.0.0\"");
        for (String nothing : new String[] {"3", "%3Cscript%3E", "1.2.3.4", "x".repeat(300)}) {
            var page = anybody.open(at("/acme/find/versions?q=" + nothing + "&below=no&above=no"));
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.html()).contains("No such version").doesNotContain("<script>");
        }
    }

    @Test
    void versionsAreFoundByTheirState() {
        for (String version : new String[] {"1.0.0", "1.1.0", "1.2.0", "2.0.0"}) {
            app().push("acme/states", version, "public", "# States " + version);
        }
        String api = "/v1/namespaces/acme/bundles/states/versions/";
        app().post(api + "1.1.0:yank", app().admin(), "{\"reason\": \"bad\"}");
        app().post(api + "1.2.0:deprecate", app().admin(), "{\"message\": \"=old\"}");
        String list = at("/acme/states/versions");

        assertThat(shown(list + "?state=usable")).isEqualTo(List.of("2.0.0", "1.0.0"));
        assertThat(shown(list + "?state=deprecated")).isEqualTo(List.of("1.2.0"));
        assertThat(shown(list + "?state=yanked")).isEqualTo(List.of("1.1.0"));
        assertThat(shown(list + "?state=usable&q=1")).isEqualTo(List.of("1.0.0"));
        assertThat(shown(list + "?state=odd")).hasSize(4);
        assertThat(anybody.open(list + "?state=yanked&q=2").html()).contains("No yanked version begins with");
    }

    private List<String> shown(String list) {
        return Pattern.compile("aria-label=\"Actions for ([^\"]*)\"")
                .matcher(anybody.open(list).html())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /// What happened to a bundle is for those who may read the events of its organization.
    @Test
    void membersSeeWhatHappenedToABundle() {
        app().push("acme/lived", "1.0.0", "public", "# Lived");
        app().push("acme/lived-too", "1.0.0", "public", "# Lived too");
        app().post(
                        "/v1/namespaces/acme/bundles/lived/versions/1.0.0:yank",
                        app().admin(),
                        "{\"reason\": \"loses \\u202e data\"}");
        Numbered.all(app().database());
        String place = at("/acme/lived/activity");

        try (var reader = person("lived@acme.test", "default", "reader")) {
            String html = reader.open(place).html();
            assertThat(html)
                    .contains("yanked", "“loses ‹U+202E› data”", "created the bundle")
                    .contains("href=\"/acme/lived/versions/1.0.0\"")
                    .doesNotContain("lived-too");
            assertThat(html.indexOf("yanked <a")).isBetween(0, html.indexOf("published <a"));
            assertThat(reader.open(at("/acme/lived")).html()).contains("href=\"/acme/lived/activity\"");
        }
        assertThat(anybody.open(at("/acme/lived")).html()).doesNotContain("/activity\"");
        assertThat(anybody.open(place).place().getPath()).isEqualTo("/login");
        app().secondOrganization("strangers");
        try (var other = person("other@acme.test", "strangers", "owner")) {
            assertThat(other.open(place).status()).isEqualTo(404);
        }
    }

    @Test
    void theFirstPageSaysWhatHappenedAndWhereItComesFrom() {
        app().push("acme/known", "1.0.0", "public", "# Known");
        app().send(
                        "PATCH",
                        "/v1/namespaces/acme/bundles/known",
                        app().admin(),
                        "{\"repositoryUrl\": \"https://git.example/acme/known\"}");
        Numbered.all(app().database());

        try (var reader = person("known@acme.test", "default", "reader");
                var anybody = browser()) {
            assertThat(reader.open(at("/acme/known")).html())
                    .contains(
                            "<h2 id=\"activity\">Activity",
                            "published <a",
                            "href=\"/acme/known/activity\">All activity");
            assertThat(anybody.open(at("/acme/known")).html())
                    .contains("Where it comes from", "https://git.example/acme/known</a>", "as its publisher says")
                    .doesNotContain("id=\"activity\"", "from a workflow");
        }
    }

    /// A link to earlier events, followed later than events are kept.
    @Test
    void activityThatIsNoLongerKeptBeginsAnew() {
        app().push("acme/aged", "1.0.0", "public", "# Aged");
        Numbered.all(app().database());
        String cursor = app().get("/v1/organizations/default/events?limit=1", app().admin())
                .page(EventRecord.class)
                .meta()
                .nextCursor();
        new EventSweep(app().database(), Duration.ofHours(-1)).run();
        app().push("acme/aged", "1.1.0", "public", "# Aged more");
        Numbered.all(app().database());

        try (var reader = person("aged@acme.test", "default", "reader")) {
            var page = reader.open(at("/acme/aged/activity?cursor=" + cursor));

            assertThat(page.status()).isEqualTo(200);
            assertThat(page.html())
                    .contains("The events that you asked for are no longer kept. These are the newest.", "1.1.0</a>")
                    .doesNotContain("From the beginning");
            assertThat(reader.open(at("/acme/aged/activity?cursor=AAAA")).status())
                    .isEqualTo(400);
            assertThat(reader.open(at("/acme/aged/activity")).html()).doesNotContain("no longer kept");
        }
    }

    @Test
    void theListOfVersionsSaysWhatEachIs() {
        app().push("acme/told", "1.0.0", "public", "# Told");
        FileScenario.push(app(), "acme/told", "1.1.0", "public", Map.of("a.md", "ghp_" + "a1B2".repeat(9)));
        app().get("/v1/namespaces/acme/bundles/told/versions/1.0.0:pull", null);
        app().countDownloads();
        app().post(
                        "/v1/namespaces/acme/bundles/told/versions/1.0.0:yank",
                        app().admin(),
                        "{\"reason\": \"loses \\u202e data\"}");

        String html = anybody.open(at("/acme/told/versions")).html();

        assertThat(html)
                .contains("Yanked: loses ‹U+202E› data", "1 finding<", "Nothing found", "is-off", ">latest<")
                .contains("name=\"a\" value=\"1.0.0\" aria-label=\"Compare from 1.0.0\" checked")
                .contains("name=\"b\" value=\"1.1.0\" aria-label=\"Compare to 1.1.0\" checked")
                .containsPattern("data-l=\"Pulls, 30 days\">1<svg")
                .doesNotContain("/settings/");
        assertThat(anybody.open(at("/acme/told/compare?a=1.0.0&b=1.1.0"))
                        .place()
                        .getPath())
                .isEqualTo("/acme/told/compare/1.0.0...1.1.0");
    }

    @Test
    void whoMayWriteYanksInPlace() {
        app().push("acme/acts", "1.0.0", "public", "# Acts");
        try (var publisher = person("acts@acme.test", "default", "publisher")) {
            var version = publisher.open(at("/acme/acts/versions/1.0.0"));
            assertThat(version.html()).contains("What you can do", "Deprecate <span class=\"u\">1.0.0</span>");
            assertThat(publisher.open(at("/acme/acts/versions")).html())
                    .contains("/acme/acts/settings/versions/1.0.0/yank", "Move a tag here");

            publisher.submit(publisher.follow(version, "/1.0.0/yank"), "/yank", Map.of("reason", "bad"));
            var yanked = publisher.open(at("/acme/acts/versions/1.0.0"));
            assertThat(yanked.html()).contains("This version is yanked", "Undo the yank", "although it is yanked");

            publisher.submit(publisher.follow(yanked, "/1.0.0/unyank"), "/unyank", Map.of());
            assertThat(publisher.open(at("/acme/acts/versions/1.0.0")).html()).doesNotContain("This version is yanked");
        }
        assertThat(anybody.open(at("/acme/acts/versions/1.0.0")).html()).doesNotContain("What you can do");
    }

    @Test
    void aVersionSaysWhatIsNewAndWhatChanged() {
        FileScenario.push(
                app(), "acme/news", "1.0.0", "public", Map.of("a.md", "one\ntwo\n", "b.md", "same", "c.md", "gone"));
        FileScenario.push(
                app(), "acme/news", "1.1.0", "public", Map.of("a.md", "one\nthree\n", "b.md", "same", "d.md", "new\n"));

        String html = anybody.open(at("/acme/news/versions/1.1.0")).html();

        assertThat(html)
                .contains("3 of 4 files changed since", "Compare with", "sheaf add acme/news:1.1.0<")
                .contains("/acme/news/compare/1.0.0...1.1.0", "Changed", "Added", "Removed", "+1 −1")
                .containsPattern("<h1><span class=\"u\">news</span> <span class=\"v u\">1.1.0</span></h1>");
        assertThat(anybody.open(at("/acme/news/versions/1.0.0")).html())
                .doesNotContain("changed since", "Compare with");
    }

    @Test
    void theNameStaysOnEveryTab() {
        app().push("acme/same", "1.0.0", "public", "# Same");
        for (String tab : new String[] {"", "/versions", "/versions/latest", "/tags", "/tags/latest", "/compare"}) {
            assertThat(anybody.open(at("/acme/same" + tab)).html())
                    .as(tab)
                    .contains("<h1><span class=\"u\">same</span>", "Versions <span class=\"num\">1</span>", "Star")
                    .contains("Tags <span class=\"num\">1</span>", "Files <span class=\"num\">1</span>");
        }
        app().push("acme/same", "1.1.0", "public", "# Other");
        assertThat(anybody.open(at("/acme/same/tags")).html()).contains("Versions <span class=\"num\">2</span>");
    }

    @Test
    void withoutAReadmeTheSkillIsShown() {
        FileScenario.push(app(), "acme/alone", "1.0.0", "public", Map.of("SKILL.md", """
                ---
                name: alone
                description: Does one thing
                ---
                # How it works
                <script>alert(1)</script>\u202e
                """));

        String html = anybody.open(at("/acme/alone")).html();

        assertThat(html)
                .contains("SKILL.md", "there is no README", "Does one thing", "How it works", "hidden characters")
                .doesNotContain("No README", "<script>alert", "\u202e");
    }

    @Test
    void theSkillsOfACollectionAreListed() {
        String skill = "---\nname: %s\ndescription: %s\nallowed-tools: Read, Bash(git:*)\n---\n# Text\n";
        FileScenario.push(
                app(),
                "acme/some",
                "1.0.0",
                "public",
                Map.of(
                        "skills/one/SKILL.md", skill.formatted("one", "Does <b>one</b> thing"),
                        "skills/two/SKILL.md", "not a skill",
                        "skills/two/more.md", "text"));

        String html = anybody.open(at("/acme/some")).html();

        assertThat(html)
                .contains("2 skills", "Does &lt;b&gt;one&lt;/b&gt; thing", "asks for Read, Bash(git:*)", "2 files")
                .contains("/acme/some/versions/1.0.0/files/skills/one/SKILL.md?view=rendered")
                .doesNotContain("No README");
    }

    private String drawn(String slug, Browser browser) {
        app().countDownloads();
        return browser.open(at("/acme/" + slug)).html();
    }

    @Test
    void pullsAreDrawnWithTheirNumbers() {
        app().push("acme/pulled", "1.0.0", "public", "# Pulled");
        app().push("acme/still", "1.0.0", "public", "# Still");
        String pull = "/v1/namespaces/acme/bundles/pulled/versions/1.0.0:pull";
        app().get(pull, null);
        app().get(pull, app().admin());

        assertThat(drawn("pulled", anybody))
                .contains("<b>2 pulls</b> in 30 days", "2 in total<", "class=\"chart\"", "role=\"img\"")
                .contains("from 0 to 2, most of them on ")
                .doesNotContain("style=");
        assertThat(drawn("still", anybody))
                .contains("No pulls in 30 days.", "Share the command above.")
                .doesNotContain("class=\"chart\"");
        try (var reader = person("pulls@acme.test", "default", "reader")) {
            assertThat(drawn("pulled", reader)).contains("2 in total, 1 of them by its own organization");
        }
    }

    @Test
    void membersAreToldHowAVersionIsUsed() {
        app().push("acme/used", "1.0.0", "public", "# Used");
        app().push("acme/used", "1.1.0", "public", "# Used more");
        String pull = "/v1/namespaces/acme/bundles/used/versions/1.0.0:pull";
        app().get(pull, null);
        app().get(pull, app().admin());
        app().countDownloads();
        try (var reader = person("used@acme.test", "default", "reader")) {
            assertThat(reader.open(at("/acme/used/versions/1.0.0")).html())
                    .contains(
                            "shown to your organization",
                            "1 of them by its own organization",
                            "<dt>Last</dt>",
                            "first <time");
            assertThat(reader.open(at("/acme/used/versions/1.1.0")).html())
                    .contains("No pulls in 30 days")
                    .doesNotContain("shown to your organization");
        }
        assertThat(anybody.open(at("/acme/used/versions/1.0.0")).html())
                .doesNotContain("shown to your organization", "by its own organization");
    }

    @Test
    void theListOfVersionsAndComparisonsBeginWithCommandAndTrust() {
        app().push("acme/headed", "1.0.0", "public", "# One");
        app().push("acme/headed", "1.1.0", "public", "# Two");

        assertThat(anybody.open(at("/acme/headed/versions")).html())
                .contains("sheaf add acme/headed<", "aria-label=\"Trust of version 1.1.0\"");
        assertThat(anybody.open(at("/acme/headed/compare")).html())
                .contains("sheaf add acme/headed:1.1.0<", "aria-label=\"Trust of version 1.1.0\"");
        assertThat(anybody.open(at("/acme/headed/compare/1.1.0...1.0.0")).html())
                .contains("sheaf add acme/headed:1.0.0<", "aria-label=\"Trust of version 1.0.0\"");
    }

    /// Without a session a star leads to the sign-in, and from there back to the bundle.
    @Test
    void aStarAfterTheSessionLeadsBackToTheBundle() {
        try (var reader = person("stale@acme.test", "default", "reader");
                var elsewhere = browser()) {
            var page = reader.open(at("/acme/open"));
            elsewhere.signIn(app().url(), "stale@acme.test", TestApp.PASSWORD);
            elsewhere.submit(elsewhere.open(at("/account/sessions")), "/account/sessions/end-others", Map.of());

            var refused = reader.submit(page, "/star", Map.of());

            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.html())
                    .containsPattern(
                            "href=\"/login\\?next=(%2F|/)" + (isPlain() ? "account" : "acme(%2F|/)open") + "\"");
        }
    }

    @Test
    void theLastVersionIsYankedWithItsConsequences() {
        app().push("acme/single", "1.0.0", "public", "# One");
        try (var publisher = person("yanks@acme.test", "default", "publisher")) {
            assertThat(publisher
                            .open(at("/acme/single/settings/versions/1.0.0/yank"))
                            .html())
                    .contains("No other version is left", "Tags that point to it are deleted: latest.")
                    .doesNotContain("1.2.4", "next lower version");
            app().push("acme/single", "1.1.0", "public", "# Two");
            assertThat(publisher
                            .open(at("/acme/single/settings/versions/1.0.0/yank"))
                            .html())
                    .contains("placeholder=\"1.1.0\"")
                    .doesNotContain("No other version is left");
        }
    }
}
