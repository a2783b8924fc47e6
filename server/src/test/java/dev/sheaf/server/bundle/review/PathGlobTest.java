package dev.sheaf.server.bundle.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.ProblemException;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathGlobTest {
    @ParameterizedTest
    @CsvSource({
        "docs/*, docs/a.md, true",
        "docs/*, docs/a/b.md, false",
        "docs/**, docs/a/b.md, true",
        "docs/**, docs, true",
        "docs/**, docsx/a.md, false",
        "**/*.md, a.md, true",
        "**/*.md, a/b/c.md, true",
        "**/*.md, a/b/c.mdx, false",
        "a/**/b/**/c, a/x/b/y/z/b/c, true",
        "a/**/b/**/c, a/x/c, false",
        "*.md, .md, true",
        "data-?.json, data-1.json, true",
        "data-?.json, data-12.json, false",
        "*a*b, xaab, true",
        "*a*b, xaba, false",
        "Docs/*, docs/a, false",
        "a.b, axb, false",
    })
    void matchesPathsAsDocumented(String glob, String path, boolean matches) {
        assertThat(new PathGlob(PathGlob.parse(glob)).matches(path)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs", "docs/", "a//b", "../x", "a/./b", "a\tb", "a\\b", "**.md", "a/b**", "***********"})
    void refusesWhatIsNoPattern(String glob) {
        assertThatThrownBy(() -> PathGlob.parse(glob)).isInstanceOf(ProblemException.class);
    }

    @Test
    void takesNoLongerForHostilePatterns() {
        var glob = new PathGlob(PathGlob.parse("*a".repeat(10) + "b"));
        var deep = new PathGlob(PathGlob.parse("**/a/".repeat(4) + "**/b"));

        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            assertThat(glob.matches("a".repeat(1_000))).isFalse();
            assertThat(deep.matches("a/".repeat(500) + "c")).isFalse();
        });
    }
}
