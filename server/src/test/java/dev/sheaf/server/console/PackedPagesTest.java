package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/// Pages that are sent in a coding, pages that a browser has already, and what neither gives away.
class PackedPagesTest extends OnConsole {
    private static final Pattern TOKEN = Pattern.compile("name=\"_token\" value=\"([^\"]+)\"");

    @Override
    public boolean isByHand() {
        return false;
    }

    @Override
    public void prepare() {
        app().person("first@acme.test", "default", "owner"); // until then the first page says that there is no owner
        app().push("acme/open", "1.0.0", "public", "# Open");
        app().push("acme/open", "1.1.0", "public", "# Open again");
    }

    private Reply page(String path, String... headers) {
        return app().send(app().request("GET", path, null, null)
                .setHeader("Accept", "text/html")
                .headers(headers));
    }

    private static String unpacked(Reply reply) throws IOException {
        try (var in =
                new GZIPInputStream(new ByteArrayInputStream(reply.response().body()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String coding(Reply reply) {
        return reply.header("Content-Encoding");
    }

    @Test
    void whatPagesLoadIsPacked() throws IOException {
        String css = Pattern.compile("/-/sheaf[^\"]+")
                .matcher(page("/", "X-Test", "1").text())
                .results()
                .findFirst()
                .orElseThrow()
                .group();
        var plain = page(css, "X-Test", "1");

        var packed = page(css, "Accept-Encoding", "gzip, deflate, br");

        assertThat(coding(plain)).isEmpty();
        assertThat(coding(packed)).isEqualTo("gzip");
        assertThat(unpacked(packed)).isEqualTo(plain.text());
        assertThat(packed.response().body().length).isLessThan(plain.response().body().length / 2);
        assertThat(packed.header("ETag")).endsWith("-gzip\"").isNotEqualTo(plain.header("ETag"));
        assertThat(page(css, "Accept-Encoding", "gzip", "If-None-Match", packed.header("ETag"))
                        .status())
                .isEqualTo(304);
        assertThat(coding(page(css, "Accept-Encoding", "gzip, zstd"))).isEqualTo("zstd");
    }

    @Test
    void whatIsPackedIsAsLongForHead() {
        var get = page("/acme/open", "Accept-Encoding", "gzip");

        var head = app().send(app().request("HEAD", "/acme/open", null, null)
                .setHeader("Accept", "text/html")
                .header("Accept-Encoding", "gzip"));

        assertThat(coding(get)).isEqualTo("gzip");
        assertThat(head.header("Content-Length")).isEqualTo(get.header("Content-Length"));
        assertThat(head.header("ETag")).isEqualTo(get.header("ETag"));
        assertThat(head.response().body()).isEmpty();
    }

    @Test
    void publicPagesThatABrowserHasAreNotSentAgain() throws IOException {
        for (String path : List.of(
                "/",
                "/?q=open",
                "/acme",
                "/acme/open",
                "/acme/open/versions",
                "/acme/open/tags",
                "/acme/open/tags/latest",
                "/acme/open/versions/1.0.0",
                "/acme/open/versions/1.0.0/files/SKILL.md",
                "/acme/open/compare?b=1.0.0",
                "/acme/open/compare/1.0.0...1.1.0")) {
            var first = page(path, "Accept-Encoding", "gzip");

            assertThat(first.status()).as(path).isEqualTo(200);
            assertThat(coding(first)).as(path).isEqualTo("gzip");
            assertThat(first.response().headers().allValues("Vary")).as(path).contains("Cookie", "Accept-Encoding");
            assertThat(first.header("Cache-Control")).as(path).isEqualTo("public, max-age=0, must-revalidate");
            assertThat(unpacked(first)).as(path).doesNotContain("_token");
            var again = page(path, "Accept-Encoding", "gzip", "If-None-Match", first.header("ETag"));
            assertThat(again.status()).as(path).isEqualTo(304);
            assertThat(page(path, "If-None-Match", first.header("ETag")).status())
                    .as(path)
                    .isEqualTo(304);
        }
    }

    /// Another site can have a browser ask for a page as often as it likes, and see how long the answers are.
    @Test
    void aPageForSomebodyIsPackedOnlyWhereNoOtherSiteAsksForIt() {
        try (var owner = person("packed@acme.test", "default", "owner")) {
            String cookie = "sheaf_session=" + owner.cookie("sheaf_session");
            for (String path : List.of("/acme/open", "/acme/open/settings", "/?q=open")) {
                var own = page(path, "Cookie", cookie, "Accept-Encoding", "gzip", "Sec-Fetch-Site", "same-origin");
                assertThat(coding(own)).as(path).isEqualTo("gzip");
                assertThat(own.header("Cache-Control")).as(path).isEqualTo("private, no-store");
                assertThat(own.header("ETag")).as(path).isEmpty();
                for (String site : List.of("cross-site", "same-site", "odd")) {
                    var others = page(path, "Cookie", cookie, "Accept-Encoding", "gzip", "Sec-Fetch-Site", site);
                    assertThat(coding(others)).as(path + " from " + site).isEmpty();
                    assertThat(others.text()).contains("packed@acme.test");
                }
                assertThat(coding(page(path, "Cookie", cookie, "Accept-Encoding", "gzip")))
                        .as(path)
                        .isEmpty();
            }
        }
    }

    @Test
    void theTokenOfAFormLooksDifferentOnEachPageAndStaysGood() {
        try (var owner = person("tokens@acme.test", "default", "owner");
                var other = person("others@acme.test", "default", "owner")) {
            var first = owner.open(at("/acme/open/settings"));
            var second = owner.open(at("/acme/open/settings"));

            assertThat(token(first)).isNotEqualTo(token(second));
            for (var page : List.of(first, second)) {
                String visibility = "/acme/open/settings/visibility";
                assertThat(owner.submit(page, "action=\"" + visibility + "\"", Map.of("visibility", "public"))
                                .status())
                        .isEqualTo(200);
            }
            for (String bad : List.of(token(other.open(at("/acme/open/settings"))), "", "AAAA", "%", "A".repeat(86))) {
                assertThat(owner.post(at("/acme/open/settings/visibility"), "visibility=public&_token=" + bad)
                                .status())
                        .as(bad)
                        .isIn(400, 403);
            }
        }
    }

    private static String token(Browser.Page page) {
        var token = TOKEN.matcher(page.html());
        assertThat(token.find()).isTrue();
        return token.group(1);
    }

    @Test
    void aSecretThatIsShownOnceIsNotPacked() {
        try (var owner = person("once@acme.test", "default", "owner")) {
            String cookie = "sheaf_session=" + owner.cookie("sheaf_session");
            String made = app().post(
                            "/v1/organizations/default/webhooks",
                            app().admin(),
                            "{\"url\": \"https://hooks.example.org/x\", \"eventTypes\": [\"*\"]}")
                    .json()
                    .get("id")
                    .stringValue();
            String path = "/organizations/default/webhooks/" + made;
            String[] asked = {"Accept-Encoding", "gzip", "Sec-Fetch-Site", "same-origin", "Cookie", cookie};
            assertThat(coding(page(path, asked))).isEqualTo("gzip");

            asked[5] = cookie + "; sheaf_once=d2hzZWNfeA"; // whsec_x
            var shown = page(path, asked);

            assertThat(shown.text()).contains("whsec_x");
            assertThat(coding(shown)).isEmpty();
        }
    }
}
