package dev.sheaf.server.bundle.pages.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FileScenario;
import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A version with its files, each of them, and their bytes.
class FilesPagesTest extends OnConsole {
    private static final String TOKEN = "ghp_x7KqAbCdEfGhIjKlMnOpQrStUvWxYz012345";
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0};
    private static final String V1 = "/files/hostile/versions/1.0.0";

    private static final Map<String, Object> FILES = files();

    private static Map<String, Object> files() {
        var files = new LinkedHashMap<String, Object>();
        files.put("evil.md", "# <script>alert(1)</script>\n<img src=x onerror=alert(1)>\n[x](javascript:alert(1))\n");
        files.put("hidden.txt", "plain\naccess\u202E level\u2066\n");
        files.put("secret.txt", "one\nkey = " + TOKEN + "\n");
        files.put("all-hidden.txt", "\u200B\u202E".repeat(20_000));
        files.put("line.json", "{\"a\": \"" + "x<&".repeat(100_000) + "\"}");
        files.put("lines.txt", "a\n".repeat(100_000));
        files.put("marks.txt", ("a" + "\u0301".repeat(500) + "\n").repeat(50));
        files.put("empty.txt", "");
        files.put("bad.txt", new byte[] {'a', (byte) 0xFF, 'b'});
        files.put("zero.txt", "a\0b".getBytes(StandardCharsets.UTF_8));
        files.put("image.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>");
        files.put("picture.txt", PNG);
        files.put("paper.pdf", "%PDF-1.4\nhello\n");
        files.put("a.git/config", "[core]\n");
        files.put(".claude-plugin/marketplace.json", "{}");
        files.put("plugin.zip", new byte[] {'P', 'K', 3, 4, 0, 0});
        files.put("it's & <co>.txt".replace("<co>", "co"), "q");
        files.put("skills/x/SKILL.md", """
                ---
                name: x
                description: "<b>bold</b> \\u202E text"
                metadata: {a: [1, two]}
                ---
                # Title
                [up](../../evil.md) and [bad](javascript:alert(1))
                """);
        return files;
    }

    @Override
    public void prepare() {
        FileScenario.push(app(), "files/hostile", "1.0.0", "public", FILES);
    }

    private String open(String path) {
        try (var browser = browser()) {
            return FileScenario.open(browser, at(path));
        }
    }

    @Test
    void aVersionShowsItsFilesAndWhatTheChecksSay() {
        String page = open(V1);

        assertThat(page)
                .contains("18 files", "sha256:", "href=\"" + V1 + "/files/skills/x/SKILL.md\"")
                .contains(V1 + "/files/secret.txt?line=2", "GitHub personal access token")
                .doesNotContain(TOKEN);
    }

    @Test
    void everyFileHasAPage() {
        for (String path : FILES.keySet()) {
            assertThat(open(V1 + "/files/" + ApiPath.encodeFile(path))).contains("aria-current=\"page\"");
        }
    }

    @Test
    void hiddenCharactersAreDrawn() {
        assertThat(open(V1 + "/files/hidden.txt"))
                .contains(
                        "This file has hidden characters",
                        "<span class=\"hid\" title=\"RIGHT-TO-LEFT OVERRIDE\">U+202E</span>",
                        "<span id=\"L2\" data-n=\"2\" data-tone=\"bad\">");
    }

    @Test
    void secretsAreCovered() {
        assertThat(open(V1 + "/files/secret.txt"))
                .contains("<span class=\"secret\">ghp_x7Kq<span", "data-tone=\"warn\"", "so revoke it")
                .doesNotContain(TOKEN.substring(0, 9));
        assertThat(app().get(V1 + "/raw/secret.txt", null).text()).contains(TOKEN);
    }

    @Test
    void theFrontMatterOfASkillIsATable() {
        assertThat(open(V1 + "/files/skills/x/SKILL.md"))
                .contains(">description</th>", "&lt;b&gt;bold&lt;/b&gt; ", ">metadata.a</th>", "1, two");
    }

    @Test
    void markdownIsRenderedWithoutWhatDoesSomething() {
        assertThat(open(V1 + "/files/skills/x/SKILL.md?view=rendered"))
                .contains("<h2>Title</h2>", "href=\"" + V1 + "/files/evil.md\"")
                .doesNotContain("javascript:");
        assertThat(open(V1 + "/files/evil.md?view=rendered")).doesNotContain("<img", "alert(1)\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bad.txt", "zero.txt", "paper.pdf", "plugin.zip"})
    void whatIsNoTextIsShownInHex(String file) {
        assertThat(open(V1 + "/files/" + file)).contains("This is not text", "00000000 ");
    }

    @Test
    void imagesAreShownByWhatTheyAreAndDrawingsAsText() {
        assertThat(open(V1 + "/files/picture.txt")).contains("<img src=\"" + V1 + "/raw/picture.txt\"");
        assertThat(open(V1 + "/files/image.svg")).doesNotContain("<img").contains("&lt;");
    }

    @Test
    void theFieldForALineLeadsToIt() {
        assertThat(app().get(V1 + "/files/lines.txt?line=5", null).header("Location"))
                .isEqualTo(V1 + "/files/lines.txt#L5");
        String far = app().get(V1 + "/files/lines.txt?line=99999", null).header("Location");
        assertThat(far).endsWith("#L99999");
        assertThat(open(far.substring(0, far.indexOf('#')))).contains("id=\"L99999\"");
    }

    @Test
    void aLongTextGoesOnOnAnotherPage() {
        try (var browser = browser()) {
            var first = browser.open(at(V1 + "/files/lines.txt"));

            var second = browser.follow(first, "lines.txt?from=");

            assertThat(second.html()).contains("From the beginning").doesNotContain("id=\"L1\"");
            int last = first.html().split("id=\"L", -1).length - 1;
            assertThat(second.html()).contains("id=\"L" + (last + 1) + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "x", "999999999", "99999999999999", "<script>"})
    void whereAPartBeginsIsAnyText(String from) {
        open(V1 + "/files/lines.txt?from=" + ApiPath.encode(from));
    }

    @Test
    void rawTextsArePlainAndEverythingElseIsKept() {
        var drawing = app().get(V1 + "/raw/image.svg", null);
        assertThat(drawing.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(drawing.header("Content-Security-Policy")).isEqualTo("default-src 'none'; sandbox");
        assertThat(drawing.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(app().get(V1 + "/raw/picture.txt", null).header("Content-Type"))
                .isEqualTo("image/png");
        var archive = app().get(V1 + "/raw/plugin.zip", null);
        assertThat(archive.header("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(archive.header("Content-Disposition")).startsWith("attachment");
        assertThat(app().get(V1 + "/raw/empty.txt", null).text()).isEmpty();
    }

    @Test
    void whatIsPrivateLooksLikeWhatIsMissing() {
        FileScenario.push(app(), "files/hidden", "1.0.0", "private", Map.of("a.txt", "x"));
        for (String rest : new String[] {"", "/files/a.txt", "/raw/a.txt"}) {
            var hidden = app().get("/files/hidden/versions/1.0.0" + rest, null);
            assertThat(hidden.status()).isEqualTo(404);
        }
        assertThat(app().get(V1 + "/files/none.txt", null).status()).isEqualTo(404);
        try (var browser = person("reader@files.test", "default", "reader")) {
            FileScenario.open(browser, at("/files/hidden/versions/1.0.0/files/a.txt"));
        }
        app().secondOrganization("others");
        try (var stranger = person("stranger@files.test", "others", "owner")) {
            assertThat(stranger.open(at("/files/hidden/versions/1.0.0/files/a.txt"))
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void ofManyFilesAFolderIsShownAtATime() {
        var many = new HashMap<String, Object>();
        for (int i = 0; i < 1_000; i++) {
            many.put("d" + i % 7 + "/" + "q".repeat(150) + i + ".md", "x" + i);
        }
        FileScenario.push(app(), "files/many", "1.0.0", "public", many);
        try (var browser = browser()) {
            var all = browser.open(at("/files/many/versions/1.0.0"));
            var folder = browser.follow(all, "folder=d3");
            var more = browser.follow(folder, "after=");

            assertThat(all.html()).contains("1,000 files");
            assertThat(more.html()).contains("Parent folder");
            FileScenario.open(browser, folder.place().toString());
            FileScenario.open(browser, more.place().toString());
        }
    }

    /// Real bundles: those that SHEAF_CORPUS names, else the project's own few.
    @Test
    void everyFileOfRealBundlesHasASmallPage() throws IOException {
        assumeTrue(isPlain(), "hundreds of pages: by plain HTTP alone");
        int seen = 0;
        try (var browser = browser()) {
            for (Path folder : TestApp.corpus()) {
                var files = new HashMap<String, Object>();
                try (var walk = Files.walk(folder)) {
                    for (Path file : walk.filter(Files::isRegularFile).toList()) {
                        files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
                    }
                }
                String place = "/corpus/" + folder.getFileName() + "/versions/1.0.0";
                FileScenario.push(app(), "corpus/" + folder.getFileName(), "1.0.0", "public", files);
                FileScenario.open(browser, at(place));
                for (String path : files.keySet()) {
                    FileScenario.open(browser, at(place + "/files/" + ApiPath.encodeFile(path)));
                    if (path.endsWith(".md")) {
                        FileScenario.open(browser, at(place + "/files/" + ApiPath.encodeFile(path) + "?view=rendered"));
                    }
                    seen++;
                }
            }
        }

        System.out.println(
                System.getenv("SHEAF_CORPUS") == null
                        ? "SHEAF_CORPUS names no folder of bundles, so only " + seen
                                + " files of the project's were opened"
                        : seen + " files of SHEAF_CORPUS were opened");
        assertThat(seen).isPositive();
    }
}
