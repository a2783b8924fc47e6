package dev.sheaf.server.hub.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.server.testing.Reply;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/// READMEs, feeds and badges over HTTP.
class HubPagesTest extends HubScenario {
    private Reply accepting(String path, @Nullable String key, String accept) {
        return app().send(app().request("GET", path, key, null).header("Accept", accept));
    }

    private static Document xml(Reply reply) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder()
                .parse(new ByteArrayInputStream(reply.response().body()));
    }

    private static List<String> all(Element parent, String name) {
        var texts = new ArrayList<String>();
        var nodes = parent.getElementsByTagName(name);
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }

    @Test
    void aReadmeIsTextOrAPage() {
        publish("read/kit", "1.0.0", text("readmeContent", "# Hi\n\n<script>x</script>\n\n[a](docs/a.md)"));

        var plain = anonymous(hub("read/kit") + "/readme");
        var page = accepting(hub("read/kit") + "/readme", null, "text/html,application/xml;q=0.9,*/*;q=0.8");

        assertThat(plain.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(plain.text()).startsWith("# Hi\n");
        assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.text())
                .contains("<h1>Hi</h1>", "href=\"/v1/hub/bundles/read/kit/assets/docs/a.md\"")
                .doesNotContain("script");
        assertThat(page.header("Content-Security-Policy"))
                .startsWith("default-src 'none'")
                .contains("sandbox");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(page.response().headers().allValues("Vary")).contains("Accept", "Authorization");
        assertThat(app().send(app().request("GET", hub("read/kit") + "/readme", null, null)
                                .header("Accept", "text/html")
                                .header("If-None-Match", page.header("ETag")))
                        .status())
                .isEqualTo(304);
        assertThat(accepting(hub("read/kit") + "/readme", null, "image/png, text/*;q=0")
                        .refusal())
                .startsWith("406");
        publish("read/none", "1.0.0");
        anonymous(hub("read/none") + "/readme").assertRefused("404 not-found");
    }

    @Test
    void thePrivateTwinIsForThoseWhoMayReadTheBundle() {
        assertThat(app().push("readpriv/kit", "1.0.0", "private", "x").status()).isEqualTo(201);
        patch("readpriv/kit", text("readmeContent", "[a](b.md)"));
        String path = bundle("readpriv/kit") + "/readme";

        assertThat(app().get(path, app().admin()).text()).isEqualTo("[a](b.md)");
        assertThat(app().get(path, app().admin()).header("Cache-Control")).isEqualTo("private, no-cache");
        assertThat(accepting(path, app().admin(), "text/html").text())
                .contains("\"" + bundle("readpriv/kit") + "/assets/b.md\"");
        assertThat(app().get(path, null).status()).isEqualTo(401);
        app().get(path, app().secondOrganization("readers")).assertRefused("404 bundle-not-found");
    }

    @Test
    void aFeedSaysWhatIsNew() throws Exception {
        publish("news/kit", "1.0.0");
        app().post(bundle("news/kit") + ":push", app().admin(), """
                {"version": "1.1.0", "message": "Faster & <i>safer</i>.", "manifest": [
                 {"logicalPath": "a.md", "contentText": "a"}]}""");

        var feed = xml(anonymous(hub("news/kit") + "/feed.atom")).getDocumentElement();

        assertThat(all(feed, "summary").getFirst()).isEqualTo("Faster & <i>safer</i>.");
    }

    @Test
    void aFeedListsTheNewestVersionsOfABundleAndOfAPublisher() throws Exception {
        publish("feed/kit", "1.0.0");
        publish("feed/kit", "1.1.0");
        publish("feed/other", "2.0.0");
        publish("feed/kit", "0.9.0");
        patch("feed/kit", text("name", "<b>&\"'\u0001 ]]> 🙂"));
        app().post(bundle("feed/kit") + "/versions/1.0.0:yank", app().admin(), "{}");

        var reply = anonymous(hub("feed/kit") + "/feed.atom");
        var feed = xml(reply).getDocumentElement();

        assertThat(reply.header("Content-Type")).isEqualTo("application/atom+xml; charset=utf-8");
        assertThat(feed.getNamespaceURI()).isEqualTo("http://www.w3.org/2005/Atom");
        assertThat(all(feed, "title")).containsExactly("Versions of feed/kit", "feed/kit 0.9.0", "feed/kit 1.1.0");
        assertThat(all(feed, "summary").getFirst()).isEqualTo("<b>&\"' ]]> 🙂 0.9.0");
        assertThat(all(feed, "id")).allMatch(id -> id.startsWith("urn:uuid:")).doesNotHaveDuplicates();
        assertThat(all(feed, "updated").get(0)).isEqualTo(all(feed, "updated").get(1));
        assertThat(app().send(app().request("GET", hub("feed/kit") + "/feed.atom", null, null)
                                .header("If-None-Match", reply.header("ETag")))
                        .status())
                .isEqualTo(304);
        var publisher = xml(anonymous("/v1/hub/publishers/feed/feed.atom")).getDocumentElement();
        assertThat(all(publisher, "title"))
                .containsExactly("Versions of feed", "feed/kit 0.9.0", "feed/other 2.0.0", "feed/kit 1.1.0");
        assertThat(reply.text())
                .contains(
                        "href=\"" + app().url() + "/feed/kit\"",
                        "href=\"" + app().url() + "/feed/kit/versions/0.9.0\"");
    }

    @Test
    void aFeedOfAllListsWhatIsPublicAndNothingElse() throws Exception {
        publish("allfeed/kit", "1.0.0-a+b");
        assertThat(app().push("allfeed/secret", "1.0.0", "private", "x").status())
                .isEqualTo(201);
        var reply = anonymous("/v1/hub/feed.atom");
        var feed = xml(reply).getDocumentElement();

        assertThat(all(feed, "title")).contains("allfeed/kit 1.0.0-a+b").noneMatch(title -> title.contains("secret"));
        assertThat(all(feed, "id")).doesNotHaveDuplicates();
        assertThat(reply.text()).contains("/allfeed/kit/versions/1.0.0-a%2Bb\"");
        assertThat(anonymous("/").text())
                .contains("<link rel=\"alternate\" type=\"application/atom+xml\"", "href=\"/v1/hub/feed.atom\"");
        assertThat(anonymous("/allfeed/kit").text()).contains("href=\"/v1/hub/bundles/allfeed/kit/feed.atom\">");
        assertThat(anonymous("/allfeed").text()).contains("href=\"/v1/hub/publishers/allfeed/feed.atom\">");
    }

    @Test
    void aBadgeShowsTheLatestVersion() throws Exception {
        publish("badge/kit", "1.2.3-rc.1");

        var reply = anonymous(hub("badge/kit") + "/badge.svg");

        assertThat(reply.header("Content-Type")).isEqualTo("image/svg+xml; charset=utf-8");
        assertThat(reply.header("Cache-Control")).isEqualTo("public, max-age=30");
        assertThat(reply.header("Content-Security-Policy")).isEqualTo("default-src 'none'; sandbox");
        assertThat(all(xml(reply).getDocumentElement(), "text")).containsExactly("badge/kit", "1.2.3-rc.1");
    }

    private void publishManyAssets() {
        var manifest = new StringBuilder();
        for (int i = 0; i < 120; i++) {
            manifest.append("{\"logicalPath\": \"docs/a b/")
                    .append(i)
                    .append(".md\", \"assetType\": \"prompt\",")
                    .append("\"contentText\": \"text ")
                    .append(i)
                    .append("\"},");
        }
        app().post("/v1/namespaces/assets/bundles/kit:push", app().admin(), """
                {"name": "K", "visibility": "public", "version": "1.0.0", "manifest": [%s
                  {"logicalPath": "bin.dat", "assetType": "other", "contentBase64": "AP8="}]}""".formatted(manifest));
        publish("assets/kit", "1.1.0");
    }

    @Test
    void assetsAreListedAtOnceAndReadByEverySpellingOfTheirPath() {
        publishManyAssets();

        var all = anonymous(hub("assets/kit") + "/assets?version=1.0.0");

        assertThat(all.list(Asset.class)).hasSize(121);
        assertThat(all.page(Asset.class).meta().hasMore()).isFalse();
        assertThat(all.json().at("/data/0").propertyNames())
                .containsExactlyInAnyOrder(
                        "id",
                        "bundleId",
                        "assetType",
                        "logicalPath",
                        "contentSha256",
                        "contentSizeBytes",
                        "sizeBytes",
                        "mediaType",
                        "executable",
                        "createdAt");
        assertThat(anonymous(hub("assets/kit") + "/assets").list(Asset.class)).hasSize(1);
        for (String path : List.of("docs/a%20b/7.md", "docs%2Fa%20b%2F7.md", "docs%2fa%20b/7.md")) {
            var asset = anonymous(hub("assets/kit") + "/assets/" + path + "?version=%5E1.0.0%20%3C1.1")
                    .as(Asset.class);
            assertThat(asset.contentText()).as(path).isEqualTo("text 7");
        }
        var binary = anonymous(hub("assets/kit") + "/assets/bin.dat?version=1.0.0");
        assertThat(binary.response().body()).containsExactly(0, 0xFF);
        var bytes = accepting(hub("assets/kit") + "/assets/bin.dat?version=1.0.0", null, "application/octet-stream");
        assertThat(bytes.response().body()).containsExactly(0, 0xFF);
        assertThat(bytes.header("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(bytes.header("Content-Digest")).startsWith("sha-256=:").endsWith("=:");
        assertThat(bytes.header("ETag")).isEqualTo(binary.header("ETag"));
        assertThat(anonymous(hub("assets/kit") + "/assets/bin.dat").refusal()).startsWith("404");
        anonymous(hub("assets/kit") + "/assets/..%2Fx").assertRefused("422 validation-failed");
        anonymous(hub("assets/none") + "/assets/bin.dat").assertRefused("404 bundle-not-found");
    }
}
