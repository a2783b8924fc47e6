package dev.sheaf.server.bundle.pages.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.FileScenario;
import dev.sheaf.server.console.OnConsole;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What changed between two versions.
class ComparePagesTest extends OnConsole {
    private static final String TOKEN = "ghp_x7KqAbCdEfGhIjKlMnOpQrStUvWxYz012345";
    private static final String PAIR = "/compare/kit/compare/1.0.0...1.1.0";

    @Override
    public void prepare() {
        String moved = "one\ntwo\nthree\nfour\nfive\n";
        FileScenario.push(
                app(),
                "compare/kit",
                "1.0.0",
                "public",
                Map.of(
                        "same.md",
                        "same\n",
                        "gone.md",
                        "only once\n",
                        "old/name.md",
                        moved,
                        "text.md",
                        "a\nb\nthe quick <b>fox</b> runs\nc\n",
                        "long.json",
                        "{\"a\": \"" + "x<&".repeat(60_000) + "\"}",
                        "lines.txt",
                        "a\n".repeat(2_000)));
        FileScenario.push(
                app(),
                "compare/kit",
                "1.1.0",
                "public",
                Map.of(
                        "same.md",
                        "same\n",
                        "new.md",
                        "<script>alert(1)</script>\n",
                        "new/name.md",
                        moved,
                        "text.md",
                        "a\nb\nthe slow <b>fox</b> runs\u202E\nc\nkey: " + TOKEN + "\n",
                        "long.json",
                        "{\"a\": \"" + "y<&".repeat(60_000) + "\"}",
                        "lines.txt",
                        "b\n".repeat(1_900)));
        pushGaps();
    }

    private String open(String path) {
        try (var browser = browser()) {
            return FileScenario.open(browser, at(path));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?view=split"})
    void showsWhatWasAddedRemovedChangedAndRenamed(String view) {
        String page = open(PAIR + view);

        assertThat(page)
                .contains("6 of 7 files", "1 added", "3 changed", "1 renamed", "1 removed")
                .contains("old/name.md → new/name.md", "Renamed, 100 %")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;");
    }

    @Test
    void marksTheWordsThatChanged() {
        assertThat(open(PAIR + "?file=text.md"))
                .contains(
                        "the <del>quick</del> &lt;b&gt;fox&lt;/b&gt; runs",
                        "the <ins>slow</ins> &lt;b&gt;fox&lt;/b&gt; runs<ins>");
    }

    @Test
    void saysWhatIsNewAndCannotBeSeen() {
        assertThat(open(PAIR))
                .contains("adds hidden characters or secrets", "U+202E (right-to-left override)")
                .contains("text.md?line=5\"", "GitHub personal access token")
                .doesNotContain(TOKEN.substring(0, 9));
        assertThat(open("/compare/kit/compare/1.1.0...1.0.0")).doesNotContain("adds hidden characters or secrets");
    }

    @Test
    void whatDoesNotFitIsALinkAway() {
        try (var browser = browser()) {
            var lines = browser.open(at(PAIR + "?file=lines.txt"));
            int pages = 1;
            while (lines.html().contains("Continue with these changes")) {
                FileScenario.open(browser, lines.place().toString());
                lines = browser.follow(lines, "file=lines.txt&amp;from=".replace("&amp;", "&"));
                pages++;
            }

            assertThat(pages).isGreaterThan(2);
        }
    }

    @Test
    void theFormLeadsToTheComparison() {
        assertThat(open("/compare/kit/compare"))
                .contains("<option value=\"1.0.0\" selected>", "<option value=\"1.1.0\" selected>")
                .contains("What changed from", "6 of 7 files");
        assertThat(app().get("/compare/kit/compare?b=1.1.0", null).header("Location"))
                .isEqualTo(PAIR);
        assertThat(open("/compare/kit/compare?b=1.0.0")).contains("Compare two versions");
        assertThat(app().get("/compare/kit/compare?a=1.0.0&b=1.1.0", null).header("Location"))
                .isEqualTo(PAIR);
        assertThat(app().get("/compare/kit/compare?a=%3Cscript%3E&b=1.1.0", null)
                        .header("Location"))
                .doesNotContain("<");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0.0", "...", "1.0.0...", "...1.0.0", "9.9.9...1.0.0", "1.0.0...9.9.9"})
    void whatIsNoPairIsMissing(String pair) {
        assertThat(app().get("/compare/kit/compare/" + pair, null).status()).isEqualTo(404);
    }

    @Test
    void aVersionThatDoesNotExistIsNamedWithThoseThatDo() {
        try (var browser = browser()) {
            for (String path : new String[] {
                "/compare/kit/compare?a=9.9.9&b=1.0.0",
                "/compare/kit/compare?from=9.9.9&to=1.0.0",
                "/compare/kit/compare/1.0.0...9.9.9"
            }) {
                var page = browser.open(at(path));

                assertThat(page.status()).as(path).isEqualTo(404);
                assertThat(page.html())
                        .as(path)
                        .contains("These versions cannot be compared.", "no version of compare/kit matches")
                        .contains("There are 1.1.0, 1.0.0.", "value=\"9.9.9\"");
            }
        }
    }

    private void pushGaps() {
        String lines =
                IntStream.rangeClosed(1, 200).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
        FileScenario.push(app(), "compare/gaps", "1.0.0", "public", Map.of("a.txt", lines, "b.txt", "x\n"));
        FileScenario.push(
                app(),
                "compare/gaps",
                "1.1.0",
                "public",
                Map.of(
                        "a.txt",
                        lines.replace("line 3\n", "line 3\nline 3b\n").replace("line 190\n", "changed\n"),
                        "b.txt",
                        "  x\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "view=split&amp;"})
    void unchangedLinesOpenInPlaceAndKeepTheView(String view) {
        String place = "/compare/gaps/compare/1.0.0...1.1.0";
        String query = "?" + view.replace("&amp;", "&");

        String closed = open(place + query);
        assertThat(closed)
                .contains("Show 180 unchanged lines</a>, 8 to 187")
                .contains(view + "open=0.8#f0-r8\"")
                .doesNotContain("line 57<", "line 100<");

        String opened = open(place + query + "open=0.8");
        assertThat(opened)
                .contains("id=\"f0-r8\"", "line 56<", "line 140<")
                .contains("Show 80 unchanged lines</a>, 58 to 137")
                .contains(view + "open=0.8-0.58#f0-r58\"")
                .doesNotContain("line 100<");

        assertThat(open(place + query + "open=0.8-0.58")).contains("line 100<").doesNotContain("unchanged line");
        assertThat(open(place + query + "open=0.9-7.8-x-0.99999999999")).contains("Show 180 unchanged lines");
    }

    /// Each context line stands on both sides.
    @ParameterizedTest
    @ValueSource(strings = {"", "view=split&"})
    void longLinesThatAreOpenFitOnThePage(String view) {
        String name = view.isEmpty() ? "long" : "wide";
        String lines = IntStream.rangeClosed(1, 110)
                .mapToObj(i -> i + " <&".repeat(400) + "\n")
                .collect(Collectors.joining());
        FileScenario.push(app(), "compare/" + name, "1.0.0", "public", Map.of("a.txt", lines));
        FileScenario.push(app(), "compare/" + name, "1.1.0", "public", Map.of("a.txt", lines + "end\n"));

        assertThat(open("/compare/" + name + "/compare/1.0.0...1.1.0?" + view + "open=0.1"))
                .contains("id=\"f0-r1\"")
                .containsPattern("/files/a.txt\\?line=[0-9]+\">Show"); // what has no room is a link away
    }

    @Test
    void whiteSpaceIsIgnoredOnDemand() {

        assertThat(open("/compare/gaps/compare/1.0.0...1.1.0?space=ignore"))
                .contains("Only its white space changed.", "view=split&amp;space=ignore")
                .contains("1.1.0 -w", "whiteSpace=ignore");
        assertThat(app().get("/compare/gaps/compare?a=1.0.0&b=1.1.0&view=rendered&space=ignore", null)
                        .header("Location"))
                .isEqualTo("/compare/gaps/compare/1.0.0...1.1.0?view=rendered&space=ignore");
    }

    @Test
    void everyLineHasAnAnchor() {
        assertThat(open(PAIR + "?file=text.md"))
                .contains("<tr id=\"f0-l3\" class=\"del\">", "<tr id=\"f0-r3\" class=\"add\">")
                .contains("<a href=\"#f0-r3\" tabindex=\"-1\">3</a>");
    }

    @Test
    void aFileAloneLeadsToTheNextInTheSameView() {
        assertThat(open(PAIR + "?file=lines.txt&view=split"))
                .contains("File 2 of 6", "view=split&amp;file=long.json\" data-next", "data-previous");
        assertThat(open(PAIR + "?file=gone.md")).doesNotContain("data-previous");
    }

    @Test
    void markdownIsComparedAsReadersSeeIt() {
        String skill = "---\nname: s\ndescription: Old words.\n---\n# S\n\nRun it.\n\nSame <!-- old -->\n";
        FileScenario.push(app(), "compare/prose", "1.0.0", "public", Map.of("SKILL.md", skill, "a.txt", "1\n"));
        FileScenario.push(
                app(),
                "compare/prose",
                "1.1.0",
                "public",
                Map.of(
                        "SKILL.md",
                        skill.replace("Old words", "New words").replace("Run it", "Run <b>it</b> twice \u202E" + TOKEN),
                        "a.txt",
                        "2\n",
                        "comment.md",
                        "x\n"));

        String page = open("/compare/prose/compare/1.0.0...1.1.0?view=rendered");
        assertThat(page)
                .contains("Old words.", "New words.", "<ins class=\"came\">", "1 part is the same")
                .contains("<ins class=\"came\"><span class=\"was\">Added</span>", "changes that a reader sees")
                .contains("id=\"f1-r1\"") // what is no Markdown has its lines
                .doesNotContain(TOKEN);
    }

    /// Rendering is the dearest work of the page, so a page renders a little, and the rest one file at a time.
    @Test
    void aPageRendersFewFiles() {
        String text = ("Some words of a long text. ".repeat(50) + "\n\n").repeat(30);
        FileScenario.push(
                app(), "compare/heavy", "1.0.0", "public", Map.of("a.md", text, "b.md", text + "It ends so.\n"));
        FileScenario.push(
                app(),
                "compare/heavy",
                "1.1.0",
                "public",
                Map.of("a.md", text + "2\n", "b.md", text + "It ends here.\n"));
        String place = "/compare/heavy/compare/1.0.0...1.1.0?view=rendered";

        assertThat(open(place))
                .contains("id=\"f0\"", "view=rendered&amp;file=b.md\"")
                .doesNotContain("id=\"f1\"");
        assertThat(open(place + "&file=b.md")).contains("id=\"f0\"", "1 change that a reader sees");
    }

    @Test
    void imagesAreShownBeforeAndAfter() {
        FileScenario.push(
                app(), "compare/pictures", "1.0.0", "public", Map.of("a.png", new byte[] {(byte) 0x89, 0, 1}));
        FileScenario.push(
                app(), "compare/pictures", "1.1.0", "public", Map.of("a.png", new byte[] {(byte) 0x89, 0, 2}));

        assertThat(open("/compare/pictures/compare/1.0.0...1.1.0"))
                .contains("/versions/1.0.0/raw/a.png\" alt=\"a.png, before\"")
                .contains("/versions/1.1.0/raw/a.png\" alt=\"a.png, after\"");
    }

    @Test
    void manyFilesAreShownSomeAtATime() {
        var before = new HashMap<String, Object>();
        var after = new HashMap<String, Object>();
        for (int i = 0; i < 400; i++) {
            before.put("q".repeat(150) + i + ".md", "x" + i);
            after.put("q".repeat(150) + i + ".md", "y" + i);
        }
        FileScenario.push(app(), "compare/many", "1.0.0", "public", before);
        FileScenario.push(app(), "compare/many", "1.1.0", "public", after);
        try (var browser = browser()) {
            var page = browser.open(at("/compare/many/compare/1.0.0...1.1.0"));
            int pages = 1;
            while (page.html().contains("More files")) {
                FileScenario.open(browser, page.place().toString());
                page = browser.follow(page, "after=");
                pages++;
            }

            assertThat(pages).isBetween(2, 50);
        }
    }

    @Test
    void whatIsPrivateLooksLikeWhatIsMissing() {
        FileScenario.push(app(), "compare/hidden", "1.0.0", "private", Map.of("a.txt", "x"));
        FileScenario.push(app(), "compare/hidden", "1.1.0", "private", Map.of("a.txt", "y"));

        assertThat(app().get("/compare/hidden/compare", null).status()).isEqualTo(404);
        assertThat(app().get("/compare/hidden/compare/1.0.0...1.1.0", null).status())
                .isEqualTo(404);
    }
}
