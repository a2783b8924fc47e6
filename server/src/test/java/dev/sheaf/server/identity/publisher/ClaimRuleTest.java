package dev.sheaf.server.identity.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimRuleTest {
    @ParameterizedTest
    @CsvSource({
        "refs/heads/*, refs/heads/main, true",
        "refs/heads/*, refs/heads/, true",
        "refs/heads/*, refs/tags/1, false",
        "*, anything, true",
        "a*b*c, abc, true",
        "a*b*c, axxbyyc, true",
        "a*b*c, acb, false",
        "aa*aa, aaa, false",
        "a*ab, aab, true",
        "a*b, ab\u2028b, true",
        "abc, abc, true",
        "abc, abcd, false",
        "*.*, a, false",
        "**, x, true",
    })
    void aStarStandsForAnyCharacters(String pattern, String text, boolean fits) {
        assertThat(ClaimRule.matches(pattern, text)).isEqualTo(fits);
    }

    /// By backtracking it would not end.
    @Test
    void aHostilePatternComesToAnEnd() {
        String pattern = "*a".repeat(250) + "b";
        assertThat(ClaimRule.matches(pattern, "a".repeat(100_000))).isFalse();
    }

    @Test
    void rulesComeBackFromTheirRows() {
        var rules = List.of(
                new ClaimRule("ref", ClaimRule.Kind.IN, List.of("a b", "c")),
                new ClaimRule("sub", ClaimRule.Kind.MATCHES, List.of("x*")),
                new ClaimRule("aud", ClaimRule.Kind.EQUALS, List.of("y")));

        assertThat(ClaimRule.decode(ClaimRule.encode(rules))).isEqualTo(rules);
        assertThat(ClaimRule.decode(ClaimRule.encode(List.of()))).isEmpty();
    }
}
