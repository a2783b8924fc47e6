package dev.sheaf.server.bundle.pages.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Browser.Chosen;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Working files: written, uploaded, deleted and published, by pages.
class FilesPagesTest extends OnConsole {
    private static final String FILES = "/acme/notes/settings/files";
    private static final String EDIT = FILES + "/edit";
    private static final String ASSETS = "/v1/namespaces/acme/bundles/notes/assets";
    private static final byte[] TEXT = "# Notes\n".getBytes(StandardCharsets.UTF_8);

    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner = person("owner@acme.test", "default", "owner");
        app().push("acme/notes", "1.0.0", "public", "first");
    }

    private Browser.Page write(String path, Map<String, String> fields) {
        String page = path.isEmpty() ? EDIT : EDIT + "?path=" + path;
        return owner.submit(owner.open(at(page)), "action=\"" + EDIT + "\"", fields);
    }

    private Browser.Page upload(Map<String, String> fields, Chosen... files) {
        return owner.upload(owner.open(at(FILES)), FILES, fields, List.of(files));
    }

    private String assets() {
        return app().get(ASSETS + "?limit=100", app().admin()).text();
    }

    private String text(String path) {
        return app().get(ASSETS + "/" + path, app().admin())
                .json()
                .path("contentText")
                .asString("");
    }

    @Test
    void aFileIsWrittenChangedMovedAndDeleted() {
        write("", Map.of("path", "docs/a.md", "text", "one\r\ntwo <b>\r\n"));
        assertThat(text("docs/a.md")).isEqualTo("one\ntwo <b>\n");
        assertThat(owner.open(at(EDIT + "?path=docs/a.md")).html()).contains("two &lt;b&gt;");

        write("docs/a.md", Map.of("text", "three\r\n"));
        assertThat(text("docs/a.md")).isEqualTo("three\n");
        write("docs/a.md", Map.of("path", "docs/b.md", "text", "three\r\n"));

        assertThat(assets()).contains("docs/b.md").doesNotContain("docs/a.md");
        owner.submit(owner.open(at(FILES + "/delete?path=docs/b.md")), FILES + "/delete", Map.of());
        assertThat(assets()).doesNotContain("docs/b.md");
    }

    @Test
    void linesThatEndAsOnWindowsStaySo() {
        upload(Map.of(), new Chosen("files", "win.txt", "a\r\nb\r\n".getBytes(StandardCharsets.UTF_8)));

        write("win.txt", Map.of("text", "a\r\nc\r\n"));

        assertThat(text("win.txt")).isEqualTo("a\r\nc\r\n");
    }

    @Test
    void whatSomebodyElseWroteIsNotReplacedUnseen() {
        write("", Map.of("path", "both.md", "text", "one"));
        var mine = owner.open(at(EDIT + "?path=both.md"));
        write("both.md", Map.of("text", "theirs"));

        var shown = owner.submit(mine, "action=\"" + EDIT + "\"", Map.of("text", "my own words"));

        assertThat(shown.status()).isEqualTo(412);
        assertThat(shown.html()).contains("Somebody else changed", "my own words");
        assertThat(text("both.md")).isEqualTo("theirs");
        assertThat(write("", Map.of("path", "both.md", "text", "new")).html())
                .contains("A file with this path already exists.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../up.md", "/abs.md", "a\\b.md", "a//b.md", ".git/config", "nul", "a\u202Eb", "a?b", " "})
    void aPathThatIsNoneComesBackWithItsText(String path) {
        var shown = write("", Map.of("path", path, "text", "my own words"));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html()).contains("my own words", "id=\"error-path\"");
        assertThat(upload(Map.of(), new Chosen("files", path.equals(" ") ? ".." : path, TEXT))
                        .html())
                .containsAnyOf("id=\"error-files\"", "the upload contained no file to store");
    }

    @Test
    void hiddenCharactersAreSaid() {
        write("", Map.of("path", "bidi.md", "text", "a\nb\u202Ec"));

        assertThat(owner.open(at(EDIT + "?path=bidi.md")).html()).contains("line 2: U+202E RIGHT-TO-LEFT OVERRIDE");
    }

    @Test
    void whatIsNoTextIsNotEdited() {
        upload(Map.of(), new Chosen("files", "x.bin", new byte[] {0, 1, (byte) 0xFF}));
        upload(Map.of(), new Chosen("files", "long.txt", new byte[70 << 10]));

        assertThat(owner.open(at(EDIT + "?path=x.bin")).html()).contains("is not text, or is longer than");
        assertThat(owner.open(at(EDIT + "?path=long.txt")).html()).contains("is not text, or is longer than");
    }

    @Test
    void aFolderComesWithItsPathsAndWithoutVersionControl() {
        var shown = upload(
                Map.of(),
                new Chosen("folder", "kit/skills/k/SKILL.md", TEXT),
                new Chosen("folder", "kit/.git/config", TEXT),
                new Chosen("folder", "kit/.DS_Store", TEXT));

        assertThat(shown.html()).contains("1 file is written", "2 files are left out");
        assertThat(assets()).contains("\"skills/k/SKILL.md\"").doesNotContain(".git/", "DS_Store");
    }

    @Test
    void whatIsDroppedComesWithThePathsOfTheScript() {
        upload(
                Map.of("paths", "drop/one.md\r\ndrop/in/two.md"),
                new Chosen("files", "one.md", TEXT),
                new Chosen("files", "two.md", TEXT));
        assertThat(assets()).contains("drop/one.md", "drop/in/two.md");

        var shown = upload(Map.of("paths", "../one.md"), new Chosen("files", "one.md", TEXT));
        assertThat(shown.status()).isEqualTo(422);
    }

    @Test
    void aZipIsUnpackedWithoutItsFolder() {
        var files = new LinkedHashMap<String, byte[]>();
        files.put("kit-main/", new byte[0]);
        files.put("kit-main/zipped.md", TEXT);
        files.put("__MACOSX/._zipped.md", TEXT);

        upload(Map.of(), new Chosen("zip", "kit.zip", Zips.of(files)));
        upload(Map.of(), new Chosen("zip", "kit.zip", Zips.of(Map.of("skills/z/SKILL.md", TEXT))));

        assertThat(assets()).contains("\"zipped.md\"", "\"skills/z/SKILL.md\"").doesNotContain("MACOSX");
    }

    @Test
    void hostileArchivesAreRefusedInClearWords() {
        String before = assets();
        var many = new LinkedHashMap<String, byte[]>();
        for (int i = 0; i < 10_001; i++) {
            many.put("f/" + i, new byte[0]);
        }
        var refusals = Map.of(
                "is not a zip file", TEXT,
                "has 10001 entries", Zips.of(many),
                "unpacks to", Zips.of(Map.of("bomb", new byte[65 << 20])),
                "has the segment &#34;..&#34;", Zips.of(Map.of("../../up", TEXT)));

        refusals.forEach((why, zip) -> {
            var shown = upload(Map.of(), new Chosen("zip", "a.zip", zip));
            assertThat(shown.status()).as(why).isEqualTo(422);
            assertThat(shown.html().replace("\"..\"", "&#34;..&#34;")).contains(why);
        });
        assertThat(assets()).isEqualTo(before);
    }

    @Test
    void aFormWithFilesWithoutItsTokenChangesNothing() {
        var part = Browser.parts(Map.of("_token", "no"), List.of(new Chosen("files", "evil.md", TEXT)));
        String type = "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW";

        assertThat(owner.post(at(FILES), type, part).status()).isEqualTo(403);
        assertThat(owner.post(at("/new"), type, part).status()).isEqualTo(403);
        assertThat(owner.post(at(FILES), "multipart/form-data", part).status()).isEqualTo(400);
        assertThat(owner.post(at(FILES), "text/plain", part).status()).isEqualTo(415);
        assertThat(assets()).doesNotContain("evil.md");
    }

    @Test
    void publishingGoesInThreeSteps() {
        app().push("acme/steps", "1.0.0", "public", "first");
        String settings = "/acme/steps/settings";
        String path = app().get("/v1/namespaces/acme/bundles/steps/assets", null)
                .json()
                .get("data")
                .get(0)
                .get("logicalPath")
                .asString();
        app().send(
                        "PUT",
                        "/v1/namespaces/acme/bundles/steps/assets/" + path,
                        app().admin(),
                        "{\"contentText\": \"first\\nsecond <b>\\n\"}");

        var begun = owner.open(at(settings + "/publish"));
        assertThat(begun.html()).contains(path, ">changed<", "value=\"1.0.1\"");
        assertThat(owner.open(at(settings + "/publish/changes?path=" + path)).html())
                .contains("second &lt;b&gt;");
        assertThat(owner.open(at(settings + "/publish/check?version=1.0.0&latest=1.0.0"))
                        .html())
                .contains("It cannot be published like this", "exists with different content");
        assertThat(owner.open(at(settings + "/publish/check?version=one")).status())
                .isEqualTo(422);
        var checked = owner.open(at(settings + "/publish/check?version=1.0.1&tags=stable+tried&latest=1.0.0"));
        owner.submit(checked, "action=\"" + settings + "/publish\"", Map.of());

        assertThat(app().get("/v1/namespaces/acme/bundles/steps/versions/1.0.1", null)
                        .json()
                        .get("tags")
                        .toString())
                .contains("latest", "stable", "tried");
        var late = owner.submit(checked, "action=\"" + settings + "/publish\"", Map.of("version", "1.0.2"));
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.html()).contains("points to 1.0.1");
    }

    @Test
    void whatCameFromElsewhereIsNotTakenBackUnseen() {
        app().push("acme/behind", "1.0.0", "public", "first");
        String settings = "/acme/behind/settings";
        String api = "/v1/namespaces/acme/bundles/behind";
        owner.submit(
                owner.open(at(settings + "/files/edit")),
                "action=\"" + settings + "/files/edit\"",
                Map.of("path", "mine.md", "text", "never published"));
        assertThat(owner.open(at(settings + "/publish")).html()).doesNotContain("was published after");
        app().push("acme/behind", "1.1.0", "public", "second");

        var begun = owner.open(at(settings + "/publish"));
        assertThat(begun.html()).contains("was published after these files were last changed here");
        var asked = owner.follow(begun, "/publish/reset");
        assertThat(asked.html()).contains("mine.md", "are lost");
        owner.submit(asked, "action=\"" + settings + "/publish/reset\"", Map.of());

        assertThat(owner.open(at(settings + "/publish")).html())
                .contains("Nothing has changed")
                .doesNotContain("was published after");
        assertThat(app().get(api + "/assets", app().admin()).text()).doesNotContain("mine.md");
    }
}
