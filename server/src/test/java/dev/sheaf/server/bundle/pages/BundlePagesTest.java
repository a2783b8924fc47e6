package dev.sheaf.server.bundle.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Reply;
import java.util.Map;
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
                        "This bundle is deprecated", "no longer kept", "Every version is yanked", "Yanked: loses data");
        assertThat(anybody.open(at("/acme/old/versions")).html()).contains("Yanked: loses data");
    }

    @Test
    void manyVersionsComeInPages() {
        for (int i = 0; i < 51; i++) {
            app().push("acme/many", "1.0." + i, "public", "# Many " + i);
        }
        var first = anybody.open(at("/acme/many/versions"));
        assertThat(first.html()).contains(">1.0.50<").doesNotContain(">1.0.0<");

        var second = anybody.follow(first, "cursor=");
        assertThat(second.html()).contains(">1.0.0<", "From the beginning").doesNotContain(">1.0.50<");
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
                .contains("2 pulls in 30 days", "2 pulls in total<", "class=\"spark\"", "role=\"img\"")
                .contains("Pulls a day in the last 90 days: 2 in total, most of them on ")
                .doesNotContain("style=");
        assertThat(drawn("still", anybody))
                .contains("0 pulls in 30 days", "No pulls in the last 90 days.")
                .doesNotContain("class=\"spark\"");
        try (var reader = person("pulls@acme.test", "default", "reader")) {
            assertThat(drawn("pulled", reader)).contains("2 pulls in total, 1 by <span class=\"u\">acme</span> itself");
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
                            "shown to your organization", "2, 1 by your organization", "<dt>Last</dt>", "since <time");
            assertThat(reader.open(at("/acme/used/versions/1.1.0")).html())
                    .contains("No pulls in the last 90 days", "nobody yet");
        }
        assertThat(anybody.open(at("/acme/used/versions/1.0.0")).html())
                .doesNotContain("shown to your organization", "by your organization");
    }
}
