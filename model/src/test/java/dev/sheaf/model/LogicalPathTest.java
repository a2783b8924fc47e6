package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogicalPathTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SKILL.md",
                "skills/a/SKILL.md",
                ".hidden",
                "a b/c d.txt",
                "größe/日本語/👍.md",
                "a+b=c&d;e@f,g!'()[]{}~^`$",
                ".github/workflows/a.yml",
                ".gitignore",
                "digit.git.md",
                "..a",
                "console/auxiliary.md",
                "com/lpt/com10.txt",
                "nul-and-void.txt",
                "com0x"
            })
    void takesOrdinaryPaths(String text) {
        var path = LogicalPath.parse(text);

        assertThat(path).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''             | is empty",
                "/a             | has an empty segment",
                "a/             | has an empty segment",
                "a//b           | has an empty segment",
                "/              | has an empty segment",
                ".              | has the segment \".\"",
                "a/./b          | has the segment \".\"",
                "a/../b         | has the segment \"..\"",
                "..             | has the segment \"..\"",
                "a\\b           | contains \"\\\"",
                "a?             | contains \"?\"",
                "a#             | contains \"#\"",
                "a%2e           | contains \"%\"",
            })
    void namesTheRuleThatIsBroken(String text, String rule) {
        assertThat(refusal(() -> LogicalPath.parse(text)).detail()).contains(rule);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x09, 0x0A, 0x0D, 0x1F, 0x7F, 0x80, 0x85, 0x9F})
    void refusesEveryControlCharacter(int control) {
        assertThat(refusal(() -> LogicalPath.parse("a/b" + Character.toString(control) + "c"))
                        .detail())
                .contains("contains a control character")
                .doesNotContain(Character.toString(control));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "con",
                "CON",
                "Prn",
                "aux.txt",
                "nul.tar.gz",
                "a/NUL/b",
                "com1",
                "COM9.md",
                "lpt0",
                "com¹",
                "LPT³.txt",
                "con .txt",
                "nul  ",
                "conin$",
                "CONOUT$"
            })
    void refusesDeviceNamesOfWindows(String text) {
        assertThat(refusal(() -> LogicalPath.parse(text)).detail()).contains("a device name on Windows");
    }

    @Test
    void whatIsThereAlreadyObeysTheOlderRulesOnly() {
        for (String old :
                List.of(".git/config", "a:b", "trail.", "trail ", "C:/x", "a*b", "git~1/x", "a\u200Bb", "...")) {
            assertThat(new LogicalPath(old)).hasToString(old);
            assertThat(refusal(() -> LogicalPath.parse(old)).detail()).startsWith("the path \"");
        }
        assertThat(refusal(() -> new LogicalPath("../evil")).detail()).contains("\"..\"");
    }

    @Test
    void refusesHalvesOfSurrogatePairs() {
        for (String half : List.of("\uD83D", "\uDC4D", "\uDC4D\uD83D", "a\uD83Db", "\uD83D\uD83D\uDC4D")) {
            assertThat(refusal(() -> LogicalPath.parse(half)).detail()).contains("half of a surrogate pair");
        }
    }

    @Test
    void refusesTextThatIsNotNormalised() {
        assertThat(refusal(() -> LogicalPath.parse("cafe\u0301")).detail()).contains("normal form C");
        assertThat(LogicalPath.parse("caf\u00E9")).hasToString("café");
    }

    @Test
    void takes500BytesOfUtf8AndNotOneMore() {
        String longest = "é".repeat(125) + "/" + "é".repeat(124) + "a";

        assertThat(LogicalPath.parse(longest)).hasToString(longest);
        assertThat(refusal(() -> LogicalPath.parse(longest + "a")).detail()).contains("longer than 500 bytes");
    }

    @Test
    void takes12LevelsAndNotOneMore() {
        String deepest = "a/".repeat(11) + "a";

        assertThat(LogicalPath.parse(deepest)).hasToString(deepest);
        assertThat(refusal(() -> LogicalPath.parse("a/" + deepest)).detail()).contains("has 13 levels; at most 12");
    }

    @ParameterizedTest
    @CsvSource({
        "README.md, readme.MD",
        "größe, GRÖSSE",
        "Straße, STRASSE",
        "ΑΣ, ας",
        "Ǆ, ǆ",
        "Ǆ, ǅ",
        "ﬁle, FILE",
        "a/B, A/b"
    })
    void foldsTogetherWhatOnlyCaseTellsApart(String one, String other) {
        assertThat(LogicalPath.parse(one).folded())
                .isEqualTo(LogicalPath.parse(other).folded());
    }

    @ParameterizedTest
    @CsvSource({"a, b", "e, é", "s, z", "a/b, a-b"})
    void keepsApartWhatMoreThanCaseTellsApart(String one, String other) {
        assertThat(LogicalPath.parse(one).folded())
                .isNotEqualTo(LogicalPath.parse(other).folded());
    }

    @Test
    void sortsByTheBytesOfUtf8() {
        // U+FF21 is above the surrogates in UTF-16 but below U+1F44D in UTF-8
        var rising = paths("A", "a", "a-b", "a/b", "a0", "é", "Ａ", "👍");
        var shuffled = new ArrayList<>(rising);
        Collections.shuffle(shuffled, new Random(1));

        shuffled.sort(null);

        assertThat(shuffled).isEqualTo(rising);
    }

    @Test
    void splitsIntoFoldersAndFile() {
        var path = LogicalPath.parse("skills/a b/SKILL.md");

        assertThat(path.folders()).containsExactly("skills", "a b");
        assertThat(path.fileName()).isEqualTo("SKILL.md");
        assertThat(LogicalPath.parse("SKILL.md").folders()).isEmpty();
    }

    @Test
    void eitherRefusesOrKeepsWhatItRead() {
        Gen.forAll(5_000, gen -> {
            String text = gen.anyText(0, 40);

            var error = ProblemException.check(
                    "/path", () -> assertThat(LogicalPath.parse(text)).hasToString(text));

            error.ifPresent(failed -> assertThat(failed.detail()).startsWith("/path: the path \""));
        });
    }

    private static List<LogicalPath> paths(String... texts) {
        return List.of(texts).stream().map(LogicalPath::parse).toList();
    }
}
