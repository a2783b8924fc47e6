package dev.sheaf.model.skill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrontMatterTest {
    private static Map<String, @Nullable Object> of(String yaml) {
        return SkillText.parse(("---\n" + yaml + "---\n").getBytes(StandardCharsets.UTF_8))
                .frontMatter();
    }

    /// YAML 1.2, section 10.3.2, and the examples there.
    @Test
    void wordsAreWhatYamlTakesThemFor() {
        var expected = new LinkedHashMap<String, @Nullable Object>();
        expected.put("word", "word");
        expected.put("'quoted'", "quoted");
        expected.put("\"12\"", "12");
        expected.put("12", BigInteger.valueOf(12));
        expected.put("-7", BigInteger.valueOf(-7));
        expected.put("0o14", BigInteger.valueOf(12));
        expected.put("0xC", BigInteger.valueOf(12));
        expected.put("12.5", 12.5);
        expected.put("1e3", 1000.0);
        expected.put(".5", 0.5);
        expected.put("true", true);
        expected.put("FALSE", false);
        expected.put("~", null);
        expected.put("", null);
        for (String text : List.of(".inf", ".NaN", "1e999", "1.2.3", "2026-07-28", "yes")) {
            expected.put(text, text);
        }
        expected.put("123456789012345678901234567890", new BigInteger("123456789012345678901234567890"));

        expected.forEach((yaml, value) ->
                assertThat(of("a: " + yaml + "\n").get("a")).as(yaml).isEqualTo(value));
    }

    /// The parser reads its text piece by piece, and such a character may lie on the border of two.
    @Test
    void charactersOfTwoHalvesMayLieAnywhere() {
        for (int before = 1_015; before < 1_030; before++) {
            String text = "x".repeat(before) + "\uD83D\uDCA5".repeat(3);

            assertThat(of("a: " + text + "\n").get("a")).isEqualTo(text);
        }
    }

    @Test
    void listsAndMembersKeepTheirOrder() {
        var values = of("""
                z: {b: 1, a: [x, {y: 2}]}
                a: |
                  two
                  lines
                """);

        assertThat(values.keySet()).containsExactly("z", "a");
        assertThat(values.get("z"))
                .hasToString("{b=1, a=[x, {y=2}]}")
                .isEqualTo(Map.of("b", BigInteger.ONE, "a", List.of("x", Map.of("y", BigInteger.TWO))));
        assertThat(values.get("a")).isEqualTo("two\nlines\n");
    }

    /// Lists of skills show these texts, also on terminals; and half a character breaks the JSON of a whole list.
    @ParameterizedTest
    @ValueSource(strings = {"\\0", "\\e[31m", "\\x7f", "\\x9b31m", "\\a", "\\ud800", "\\udc00\\ud800"})
    void charactersThatTextCannotHoldAreRefused(String escape) {
        for (String yaml :
                List.of("a: \"x" + escape + "\"\n", "\"x" + escape + "\": a\n", "a: [\"" + escape + "\"]\n")) {
            assertThatThrownBy(() -> of(yaml))
                    .as(yaml)
                    .isInstanceOf(SkillText.Wrong.class)
                    .hasMessageContaining("character");
        }
        assertThat(of("a: \"x\\n\\t\\r\\N\\uD83D\\uDE00\"\n").get("a")).isEqualTo("x\n\t\r\u0085\uD83D\uDE00");
    }
}
