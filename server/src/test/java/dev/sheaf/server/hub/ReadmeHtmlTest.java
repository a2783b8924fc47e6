package dev.sheaf.server.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.OverBudgetException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadmeHtmlTest {
    private static final String NOTE = "This README is too large or complex to be shown as a page";

    private static String page(String markdown) {
        return page("T", markdown, "markdown");
    }

    private static String page(String title, String text, String format) {
        var budget = Budget.of(Duration.ofSeconds(10));
        return new String(ReadmeHtml.page(title, text, format, "/a/", budget), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
                "<img src=x onerror=alert(1)>",
                "<img src=\"https://evil.example/pixel.png\">",
                "![pixel](https://evil.example/pixel.png\" onload=\"alert(1))",
                "<svg onload=alert(1)><script>alert(1)</script></svg>",
                "<iframe src=javascript:alert(1)></iframe>",
                "<a href=\"javascript:alert(1)\">x</a>",
                "<a href=\"  java\nscript:alert(1)\">x</a>",
                "<a href='&#x6A;avascript:alert(1)'>x</a>",
                "[x](javascript:alert(1))",
                "[x](JaVaScRiPt:alert(1))",
                "[x](vbscript:alert(1))",
                "[x](data:text/html;base64,PHNjcmlwdD4=)",
                "<javascript:alert(1)>",
                "[x]: javascript:alert(1)\n\n[x]",
                "<div style=\"background:url(https://evil.example)\">x</div>",
                "<style>*{background:url(//evil.example)}</style>",
                "<p onclick=alert(1) class=\"x\" id=\"y\">x</p>",
                "<form action=https://evil.example><input name=a><button>x</button></form>",
                "<base href=https://evil.example/>",
                "<meta http-equiv=refresh content='0;url=https://evil.example'>",
                "<link rel=stylesheet href=//evil.example>",
                "<object data=x></object><embed src=x><video src=x onerror=alert(1)>",
                "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
                "<details open ontoggle=alert(1)>x</details>",
                "</body></html><script>alert(1)</script>",
                "`</code><script>alert(1)</script>`",
                "|a|\n|-|\n|<script>alert(1)</script>|",
                "<!--><script>alert(1)</script>-->",
                "<![CDATA[<script>alert(1)</script>]]>",
            })
    void nothingInAPageDoesAnything(String markdown) {
        String html = page(markdown);
        String tags = html.substring(html.indexOf("<body>")).replaceAll("(?s)>[^<]*<", "><");

        assertThat(tags)
                .doesNotContainIgnoringCase("<script")
                .doesNotContainPattern(
                        "(?i)<(img|svg|iframe|style|form|input|button|base|meta|link|object|embed|video|math)")
                .doesNotContainPattern("(?i)\\son\\w+\\s*=")
                .doesNotContainPattern("(?i)(javascript|vbscript|data):")
                .doesNotContain("style=", "id=");
    }

    @ParameterizedTest
    @CsvSource({
        "docs/a.md, /a/docs/a.md",
        "docs/%2e%2e/b.md, /a/b.md",
        "%2E/b.md, /a/b.md",
        "./docs/../b c.md, /a/b%20c.md",
        "docs/a.md?x#part, /a/docs/a.md",
        "%C3%A4.md, /a/%C3%A4.md",
        "#part, #part",
        "https://example.org/x, https://example.org/x",
        "mailto:a@example.org, mailto:a@example.org",
    })
    void linksLeadToOtherSitesOrAssets(String link, String expected) {
        assertThat(page("[x](<" + link + ">)")).contains("href=\"" + expected.replace("@", "&#64;") + "\"");
    }

    /// Each link gets a long list of what a browser must not do with it.
    @Test
    void aPageThatGrowsTooLargeIsShortened() {
        String html = page("* [x](y)\n".repeat(25_000));

        assertThat(html)
                .hasSizeBetween(500_000, 1_100_000)
                .contains("This README is shortened", "<li><a href=\"/a/y\"");
        assertThat(page("* [x](y)\n".repeat(100))).doesNotContain("shortened");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/x",
                "//evil.example",
                "../x",
                "%2e%2e/x",
                "a%2F..%2F..%2Fx",
                "%5c%5cx",
                "docs/../../x",
                "\\\\evil.example\\x",
                "ftp://x/y",
                "a//b"
            })
    void otherLinksLeadNowhere(String link) {
        assertThat(page("[x](<" + link + ">)")).doesNotContain("href=");
        assertThat(page("<a href=\"" + link + "\">x</a>")).doesNotContain("href=");
    }

    @Test
    void markdownOfGitHubIsShown() {
        String html = page("""
                # Title

                | a | b |
                |:--|--:|
                | 1 | **2** |

                ~~gone~~ https://example.org and ![A cat](cat.png) [![build](https://x.example/b.svg)](https://x.example)

                ```java
                int a = 1 < 2;
                ```
                """);

        assertThat(html)
                .contains("<h1>Title</h1>", "<td align=\"right\"><strong>2</strong></td>", "<del>gone</del>")
                .contains("<a href=\"https://example.org\" rel=\"nofollow noopener noreferrer ugc\">")
                .contains("<a href=\"/a/cat.png\"", ">A cat</a>", "<a href=\"https://x.example\"", ">build</a>")
                .contains("<pre><code class=\"language-java\">int a &#61; 1 &lt; 2;");
    }

    @Test
    void aHeadingOfWhichNothingIsLeftIsLeftOut() {
        assertThat(page("# <script>alert(1)</script>\n\ntext")).contains("text").doesNotContain("<h1", "</h1>");
    }

    @Test
    void anotherFormatIsShownAsText() {
        String html = page("<T>", "<b>&", "asciidoc");

        assertThat(html).contains("<title>&lt;T&gt;</title>", "<pre>&lt;b&gt;&amp;</pre>");
    }

    /// Each is what makes some parser recurse, go quadratic, or grow what it was given.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "> ",
                "- ",
                "* a\n  ",
                "1. ",
                "*a ",
                "**a *",
                "[",
                "![",
                "[a](",
                "![a](",
                "`a``",
                "<div>",
                "<a ",
                "&#",
                "\\",
                "_a",
                "~~a ",
                "|a",
                "[a]: <b\n",
                "a\n\n",
                "<!--",
                "https://a.b.",
                "[^",
                "\"'(",
                "*_",
                "<b><i>",
            })
    @Timeout(60)
    void hugeAndNestedTextIsBounded(String piece) {
        String huge = piece.repeat((256 << 10) / piece.length());

        assertThat(page(huge).length()).isLessThan(8 << 20);
    }

    @Test
    @Timeout(60)
    void deepListsWideTablesAndLongWordsAreBounded() {
        String indented = "- ".repeat(500) + "\n" + "\n".repeat(100_000);

        assertThat(page(indented).length()).isLessThan(8 << 20);
        assertThat(page("| a ".repeat(2_000) + "|\n" + "|-".repeat(2_000) + "|\n" + "|\n".repeat(50_000))
                        .length())
                .isLessThan(8 << 20);
        assertThat(page("x".repeat(512 << 10)).length()).isLessThan(1 << 20);
    }

    @Test
    void aParagraphWithTooManyMarksIsTextAndTheOthersArePages() {
        String html = page("# Title\n\n" + "a*b_c~~d ".repeat(2_000) + "\n\n**strong**\n");

        assertThat(html)
                .contains("<h1>Title</h1>", "<strong>strong</strong>", "a*b_c~~d a*b_c~~d")
                .doesNotContain("<em>", NOTE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"`\n", "|a|b|\n", "[a\n"})
    void aParagraphWithTooManyLinesIsShownAsTextWithANote(String line) {
        assertThat(page(line.repeat(20_000))).contains(NOTE, "<pre>");
    }

    @Test
    void whatGrowsTooLargeOrHasTooManyAttributesIsShownAsTextWithANote() {
        String used = "[a]: " + "b".repeat(100_000) + "\n\n" + "[a] ".repeat(400);
        String tag = "<a " + "href=b ".repeat(10_000) + ">";

        assertThat(page(used)).contains(NOTE, "<pre>");
        assertThat(page(tag)).contains(NOTE, "<pre>");
        assertThat(page("<!-- " + "a = b ".repeat(10_000) + "-->\n\n# Title")).contains("<h1>Title</h1>");
    }

    @Test
    void renderingEndsWithItsBudget() {
        var none = Budget.of(Duration.ZERO);
        var left = Budget.of(Duration.ofSeconds(10));
        left.cancel();

        String html = new String(
                ReadmeHtml.page("T", "# a\n\n".repeat(5_000), "markdown", "/a/", none), StandardCharsets.UTF_8);

        assertThat(html).contains(NOTE, "<pre># a");
        assertThatThrownBy(() -> ReadmeHtml.page("T", "# a", "markdown", "/a/", left))
                .isInstanceOf(OverBudgetException.class);
    }
}
