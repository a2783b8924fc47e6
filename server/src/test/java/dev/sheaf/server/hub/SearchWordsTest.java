package dev.sheaf.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.bundle.FadingCount;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SearchWordsTest {
    @Test
    void aTextIsCutIntoPlainWords() {
        assertThat(SearchWords.of("Linux-Triage v1.2 — l’ÉTÉ été \"x\" ﬁne"))
                .containsExactly("linux", "triage", "v1", "2", "l", "ete", "x", "fine");
        assertThat(SearchWords.of("数据分析 data")).containsExactly("数", "据", "分", "析", "data");
        assertThat(SearchWords.of("  \u0000%*'\\ ")).isEmpty();
        assertThat(SearchWords.of("x".repeat(100))).containsExactly("x".repeat(40));
        assertThat(SearchWords.of("a ".repeat(40_000) + "never")).containsExactly("a");
    }

    @Test
    void noWordHoldsAnythingButLettersAndDigits() {
        var random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            var text = new StringBuilder();
            for (int n = 0; n < 20; n++) {
                text.appendCodePoint(random.nextInt(4) == 0 ? random.nextInt(0x110000) : 32 + random.nextInt(95));
            }

            assertThat(SearchWords.of(text.toString()))
                    .allMatch(word -> word.codePoints().allMatch(Character::isLetterOrDigit));
        }
    }

    @Test
    void aTrendHalvesInAWeekAndAddsUp() {
        var now = Instant.parse("2030-01-31T12:00:00Z");
        var weekAgo = now.minus(Duration.ofDays(7));

        assertThat(FadingCount.of(now)).isBetween(FadingCount.of(weekAgo, 2) - 2, FadingCount.of(weekAgo, 2) + 2);
        assertThat(FadingCount.plus(FadingCount.of(now), FadingCount.of(now)))
                .isBetween(FadingCount.of(now, 2) - 2, FadingCount.of(now, 2) + 2);
        assertThat(FadingCount.plus(0, FadingCount.of(now))).isEqualTo(FadingCount.of(now));
        assertThat(FadingCount.of(now, 3)).isGreaterThan(FadingCount.of(weekAgo, 5));
    }
}
