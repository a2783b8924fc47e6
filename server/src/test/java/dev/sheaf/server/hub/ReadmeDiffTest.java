package dev.sheaf.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.Budget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What readers see of the changes of a text.
class ReadmeDiffTest {
    private static SafeHtml html(String markdown) {
        return ReadmeHtml.file(markdown, "/x/", "", budget());
    }

    private static Budget budget() {
        return Budget.of(Duration.ofSeconds(60));
    }

    private static List<ReadmeDiff.Block> blocks(String before, String after) {
        return ReadmeDiff.between(html(before), html(after), budget()).orElseThrow();
    }

    private static String shown(String before, String after) {
        return blocks(before, after).stream()
                .map(block -> block.kind()
                        + (block.count() == 0 ? "" : " " + block.count())
                        + new String(block.html().bytes(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void marksTheWordsOfAParagraphAndKeepsTheHeadingBeforeIt() {
        assertThat(shown(
                        "# Kit\n\nSame.\n\n## Use\n\nRun it on the folder and read.\n\nEnd.\n",
                        "# Kit\n\nSame.\n\n## Use\n\nRun it on what is staged and read.\n\nEnd.\n"))
                .isEqualTo("""
                        SAME 2<h3>Use</h3>
                        CHANGED<p>Run it on <del class="went">the folder</del><ins class="came">what is staged</ins> and read.</p>
                        SAME 1""");
    }

    @Test
    void showsWhatWasAddedAndRemovedAsBlocks() {
        assertThat(shown("One.\n\nGone entirely.\n", "One.\n\n```\nrm -rf x\n```\n"))
                .contains("SAME 1", "REMOVED<p>Gone entirely.</p>", "ADDED<pre", "rm -rf x");
    }

    @Test
    void comparesListsByTheirItems() {
        assertThat(shown("- one\n- two lines long\n- three\n", "- one\n- two lines short\n- three\n- four\n"))
                .startsWith("CHANGED<ul>")
                .contains(
                        "<li>one</li><li>two lines <del class=\"went\">long</del><ins class=\"came\">short</ins></li>")
                .contains("<li><ins class=\"came\">four</ins></li></ul>");
    }

    /// The words are the same, and lead elsewhere.
    @Test
    void showsTheTargetOfALinkThatChanged() {
        assertThat(shown("See [the docs](https://good.example/a) now.", "See [the docs](https://evil.example/a) now."))
                .contains(
                        "<del class=\"went\">(https://good.example/a) </del>",
                        "<ins class=\"came\">(https://evil.example/a) </ins>");
    }

    @Test
    void marksNothingOutsideOfText() {
        String before = "a **b** c [d](https://x.example) `e` | table\n\n|a|b|\n|-|-|\n|1|2|\n\n> quote\n";
        String after = "a *b* c [d](https://y.example) `f` & table\n\n|a|b|\n|-|-|\n|1|3|\n|4|5|\n\n> quote more\n";

        for (var block : blocks(before, after)) {
            String html = new String(block.html().bytes(), StandardCharsets.UTF_8);
            assertThat(html.replaceAll("</?(?:ins|del)[^>]*>", "")).doesNotContain("<ins", "<del");
            assertThat(html).doesNotContainPattern("<t(?:able|head|body|r)[^>]*>\\s*<(?:ins|del)");
            int depth = 0;
            for (String tag : html.split("(?=<)")) {
                depth += tag.startsWith("</") ? -1 : tag.startsWith("<") && !tag.matches("(?s)<(?:br|hr)\\b.*") ? 1 : 0;
                assertThat(depth).isNotNegative();
            }
            assertThat(depth).as(html).isZero();
        }
    }

    @Test
    void whatHasTooManyBlocksIsNotCompared() {
        assertThat(ReadmeDiff.between(html("a\n\n".repeat(600)), html("b\n\n".repeat(600)), budget()))
                .isEmpty();
    }

    @Test
    void equalTextsAreOneRun() {
        assertThat(shown("# A\n\nb\n", "# A\n\nb\n")).isEqualTo("SAME 2");
        assertThat(shown("a b\nc\n", "a  b c\n"))
                .as("blanks that no reader sees")
                .isEqualTo("SAME 1");
        assertThat(shown("    a b\n", "    a  b\n"))
                .as("blanks of code")
                .contains("CHANGED<pre", "a<del class=\"went\"> </del><ins class=\"came\">  </ins>b");
    }
}
