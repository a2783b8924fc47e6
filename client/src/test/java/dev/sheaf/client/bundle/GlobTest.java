package dev.sheaf.client.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.ProblemException;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Patterns take time proportional to their length times the path's, and match the same paths as regular
/// expressions, which take longer.
class GlobTest {
    /// Each would keep a backtracking engine busy practically forever.
    @ParameterizedTest
    @ValueSource(strings = {"**/", "*a", "*", "**a", "a*/**/", "?*"})
    void noPatternTakesLong(String piece) {
        String pattern = piece.repeat(400 / piece.length()) + "b";
        for (String path : List.of("a".repeat(500), "a/".repeat(200) + "a", "a".repeat(499) + "c")) {
            assertThat(Glob.of(pattern).matches(path)).isFalse();
            assertThat(IgnoreRules.parse(Collections.nCopies(100, pattern)).judge(path))
                    .isEqualTo(IgnoreRules.Verdict.SILENT);
        }
    }

    @Test
    void patternsAndTheirNumberAreBounded() {
        assertThat(Glob.of("a".repeat(Glob.LONGEST)).matches("a".repeat(Glob.LONGEST)))
                .isTrue();
        assertThatThrownBy(() -> Glob.of("a".repeat(Glob.LONGEST + 1)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("longer than 500");
        assertThat(IgnoreRules.parse(Collections.nCopies(IgnoreRules.MOST, "b")).judge("b"))
                .isEqualTo(IgnoreRules.Verdict.LEFT_OUT);
        assertThatThrownBy(() -> IgnoreRules.parse(Collections.nCopies(IgnoreRules.MOST + 1, "b")))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("more than 1000 patterns");
    }

    @Test
    void itMeansWhatTheRegularExpressionMeant() {
        var random = new Random(7);
        int meant = 0;
        for (int i = 0; i < 200_000; i++) {
            String pattern = text(
                    random,
                    List.of("a", "b", "/", "*", "**", "**/", "?", "[ab]", "[!a]", "[a-b]", "\\*", "[", "]", "-", "."),
                    6);
            String path = text(random, List.of("a", "b", "c", "/", "a/b", "*", "[", "-", ".", "\uD83D\uDC4D"), 5);
            if (pattern.isEmpty()) {
                continue;
            }
            try {
                boolean expected = regex(pattern).matcher(path).matches();
                assertThat(Glob.of(pattern).matches(path))
                        .as("%s and %s", pattern, path)
                        .isEqualTo(expected);
                meant += expected ? 1 : 0;
            } catch (PatternSyntaxException e) {
                assertThatThrownBy(() -> Glob.of(pattern)).isInstanceOf(ProblemException.class);
            }
        }
        assertThat(meant).isGreaterThan(5_000);
    }

    private static String text(Random random, List<String> pieces, int most) {
        return random.ints(random.nextInt(most + 1), 0, pieces.size())
                .mapToObj(pieces::get)
                .collect(Collectors.joining());
    }

    private static Pattern regex(String text) {
        String glob = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        boolean folder = glob.length() < text.length();
        boolean anchored = glob.indexOf('/') >= 0;
        var regex = new StringBuilder(anchored ? "" : "(?:.*/)?");
        for (int i = glob.startsWith("/") ? 1 : 0; i < glob.length(); i++) {
            i = append(glob, i, regex);
        }
        return Pattern.compile(regex + (folder ? "/.*" : "(?:/.*)?"), Pattern.DOTALL);
    }

    /// Translates what begins at `i`; returns the position after it.
    private static int append(String glob, int i, StringBuilder regex) {
        char c = glob.charAt(i);
        if (glob.startsWith("**/", i)) {
            regex.append("(?:.*/)?");
            return i + 2;
        }
        if (glob.startsWith("**", i)) {
            regex.append(".*");
            return i + 1;
        }
        int end = c == '[' ? glob.indexOf(']', i + 2) : -1;
        if (end > 0) {
            String inside = glob.substring(i + 1, end)
                    .replace("\\", "\\\\")
                    .replace("[", "\\[")
                    .replace("&", "\\&");
            regex.append("(?!/)[")
                    .append(inside.startsWith("!") ? "^" + inside.substring(1) : inside)
                    .append(']');
            return end;
        }
        switch (c) {
            case '*' -> regex.append("[^/]*");
            case '?' -> regex.append("[^/]");
            default -> {
                boolean escaped = c == '\\' && i + 1 < glob.length();
                regex.append(Pattern.quote(String.valueOf(escaped ? glob.charAt(i + 1) : c)));
                return escaped ? i + 1 : i;
            }
        }
        return i;
    }
}
