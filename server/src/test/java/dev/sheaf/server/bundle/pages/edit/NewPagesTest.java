package dev.sheaf.server.bundle.pages.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Browser.Chosen;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// New bundles: of nothing, of files, of a folder, of a zip.
class NewPagesTest extends OnConsole {
    private static final byte[] SKILL =
            "---\nname: notes\ndescription: takes notes\n---\n# Notes\n".getBytes(StandardCharsets.UTF_8);

    private Browser publisher = new Browser();

    @Override
    public void prepare() {
        app().push("acme/there", "1.0.0", "public", "x");
        publisher = person("publisher@acme.test", "default", "publisher");
    }

    private Browser.Page make(Map<String, String> fields, Chosen... files) {
        var all = new HashMap<>(Map.of(
                "namespace", "acme", "slug", "one", "visibility", "public", "version", "1.0.0", "then", "publish"));
        all.putAll(fields);
        return publisher.upload(publisher.open(at("/new")), "/new", all, List.of(files));
    }

    private int status(String path) {
        return app().get("/v1/namespaces/" + path, null).status();
    }

    @Test
    void aDroppedFolderIsPublishedAtOnce() {
        var shown = make(
                Map.of("slug", "notes", "description", "Takes notes"),
                new Chosen("folder", "notes/skills/notes/SKILL.md", SKILL),
                new Chosen("folder", "notes/.git/HEAD", SKILL));

        assertThat(shown.place().getPath()).isEqualTo("/acme/notes");
        assertThat(shown.html()).contains("1.0.0 is published.");
        var pulled = app().get("/v1/namespaces/acme/bundles/notes/versions/1.0.0:pull", null);
        assertThat(pulled.text())
                .contains("skills/notes/SKILL.md", "takes notes")
                .doesNotContain("HEAD");
        assertThat(app().get("/v1/namespaces/acme/bundles/notes", null).text()).contains("Takes notes");
    }

    @Test
    void whatLooksLikeASecretIsPublishedOnlyAfterAQuestion() {
        String secret = "ghp_" + "a1B2c3D4e5".repeat(4).substring(0, 36);
        var asked = make(
                Map.of("slug", "leaky"),
                new Chosen("files", "SKILL.md", SKILL),
                new Chosen("files", "token.txt", secret.getBytes(StandardCharsets.UTF_8)));

        assertThat(asked.place().getPath()).isEqualTo("/acme/leaky/settings/publish/check");
        assertThat(asked.html())
                .contains("Nothing is published yet: 1 file contains what looks like a secret.", "token.txt")
                .doesNotContain(secret);
        assertThat(status("acme/bundles/leaky/versions/1.0.0")).isEqualTo(404);

        var done = publisher.submit(asked, "action=\"/acme/leaky/settings/publish\"", Map.of());

        assertThat(done.html()).contains("1.0.0 is published.");
    }

    @Test
    void moreThanOneRequestTakesIsPublishedToo() {
        var random = new Random(1);
        var files = new ArrayList<Chosen>();
        for (int i = 0; i < 5; i++) {
            var bytes = new byte[1 << 20];
            random.nextBytes(bytes);
            files.add(new Chosen("files", "large" + i + ".bin", bytes));
        }

        make(Map.of("slug", "large"), files.toArray(Chosen[]::new));

        assertThat(app().get("/v1/namespaces/acme/bundles/large/versions/1.0.0", null)
                        .json()
                        .get("sizeBytes")
                        .asLong())
                .isEqualTo(5L << 20);
    }

    @Test
    void ofNothingThereIsABundleWithoutAVersion() {
        var shown = make(Map.of("slug", "empty"));

        assertThat(shown.place().getPath()).isEqualTo("/acme/empty/settings/files");
        assertThat(app().get("/v1/namespaces/acme/bundles/empty", null).text()).contains("\"versionCount\":0");
    }

    @Test
    void aDraftIsLookedAtFirst() {
        var shown = make(
                Map.of("slug", "draft", "then", "draft", "visibility", "private"),
                new Chosen("zip", "d.zip", Zips.of(Map.of("a/b.md", SKILL, "a/c.md", SKILL))));

        assertThat(shown.place().getPath()).isEqualTo("/acme/draft/settings/publish");
        assertThat(shown.html()).contains("b.md", "2 added", "value=\"1.0.0\"");
        assertThat(status("acme/bundles/draft")).isEqualTo(401);
    }

    @Test
    void aNewNamespaceIsClaimed() {
        app().secondOrganization("few");
        try (var one = person("one@few.test", "few", "owner")) {
            assertThat(one.open(at("/new")).html())
                    .contains("name=\"newNamespace\"")
                    .doesNotContain("name=\"namespace\"");
            for (String namespace : List.of("fresh", "fresher")) {
                one.upload(
                        one.open(at("/new")),
                        "/new",
                        Map.of(
                                "namespace", namespace.equals("fresh") ? "" : "fresh", // as if it were chosen
                                "newNamespace", namespace,
                                "slug", "kit",
                                "visibility", "public",
                                "version", "1.0.0",
                                "then", "publish"),
                        List.of(new Chosen("files", "a.md", SKILL)));

                assertThat(status(namespace + "/bundles/kit")).isEqualTo(200);
                assertThat(one.open(at("/new")).html())
                        .as("one namespace needs no question, two do")
                        .contains(
                                namespace.equals("fresh")
                                        ? "<input type=\"hidden\" name=\"namespace\" value=\"fresh\">"
                                        : "<option value=\"fresh\"");
            }
        }
    }

    @Test
    void whatIsWrongComesBackFilledIn() {
        var shown = make(
                Map.of("slug", "No <b>Slug", "version", "one", "description", "Kept \u202E <i>"),
                new Chosen("files", "a/../b", SKILL),
                new Chosen("files", "same.md", SKILL),
                new Chosen("files", "SAME.md", SKILL));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html())
                .contains("value=\"No &lt;b>Slug\"", "value=\"one\"", "Kept \u202E &lt;i&gt;")
                .contains("id=\"error-slug\"", "id=\"error-files\"", "clashes with")
                .doesNotContain("<i>");
        assertThat(make(Map.of("slug", "there"), new Chosen("files", "a.md", SKILL))
                        .html())
                .contains("acme/there already exists");
        assertThat(make(Map.of("slug", "odd", "visibility", "odd"), new Chosen("files", "a.md", SKILL))
                        .status())
                .isEqualTo(422);
        assertThat(app().get("/v1/namespaces/acme/bundles/odd", app().admin()).status())
                .isEqualTo(404);
    }

    @Test
    void anothersNamespaceIsRefused() {
        app().secondOrganization("others");
        try (var stranger = person("stranger@others.test", "others", "owner");
                var reader = person("reader@acme.test", "default", "reader")) {
            assertThat(stranger.open(at("/new")).html()).doesNotContain("value=\"acme\"");
            var shown = stranger.upload(
                    stranger.open(at("/new")),
                    "/new",
                    Map.of("newNamespace", "acme", "slug", "mine", "version", "1.0.0", "then", "publish"),
                    List.of(new Chosen("files", "a.md", SKILL)));
            assertThat(shown.status()).isIn(403, 404);
            assertThat(reader.open(at("/new")).html()).contains("You may not publish for any organization.");
        }
        assertThat(app().get("/v1/namespaces/acme/bundles/mine", app().admin()).status())
                .isEqualTo(404);
    }
}
