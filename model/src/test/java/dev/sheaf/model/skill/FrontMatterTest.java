package dev.sheaf.model.skill;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FrontMatterTest {
    private static Map<String, @Nullable Object> of(String yaml) {
        return SkillText.parse(("---\n" + yaml + "---\n").getBytes(StandardCharsets.UTF_8))
                .frontMatter();
    }

    /// YAML 1.2, section 10.3.2, and the examples there.
    @Test
    void wordsAreWhatYamlTakesThemFor() {
        var values = of("""
                a: word
                b: 'quoted'
                c: 12
                d: -7
                e: 0o14
                f: 0xC
                g: 12.5
                h: 1e3
                i: .5
                j: true
                k: FALSE
                l: ~
                m:
                n: "12"
                o: .inf
                p: .NaN
                q: 1e999
                r: 123456789012345678901234567890
                s: 1.2.3
                t: 2026-07-28
                u: yes
                """);

        assertThat(values.values())
                .containsExactlyElementsOf(Arrays.asList(
                        "word",
                        "quoted",
                        BigInteger.valueOf(12),
                        BigInteger.valueOf(-7),
                        BigInteger.valueOf(12),
                        BigInteger.valueOf(12),
                        12.5,
                        1000.0,
                        0.5,
                        true,
                        false,
                        null,
                        null,
                        "12",
                        ".inf",
                        ".NaN",
                        "1e999",
                        new BigInteger("123456789012345678901234567890"),
                        "1.2.3",
                        "2026-07-28",
                        "yes"));
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
}
