package dev.sheaf.server.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void aTextIsCutIntoPlainWords() {
        assertThat(Words.of("Linux-Triage v1.2 — l’ÉTÉ été \"x\" ﬁne"))
                .containsExactly("linux", "triage", "v1", "2", "l", "ete", "x", "fine");
        assertThat(Words.of("数据分析 data")).containsExactly("数", "据", "分", "析", "data");
        assertThat(Words.of("  \u0000%*'\\ ")).isEmpty();
        assertThat(Words.of("x".repeat(100))).containsExactly("x".repeat(40));
        assertThat(Words.of("a ".repeat(40_000) + "never")).containsExactly("a");
    }

    @Test
    void noWordHoldsAnythingButLettersAndDigits() {
        var random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            var text = new StringBuilder();
            for (int n = 0; n < 20; n++) {
                text.appendCodePoint(random.nextInt(4) == 0 ? random.nextInt(0x110000) : 32 + random.nextInt(95));
            }

            assertThat(Words.of(text.toString()))
                    .allMatch(word -> word.codePoints().allMatch(Character::isLetterOrDigit));
        }
    }

    @Test
    void aTrendHalvesInAWeekAndAddsUp() {
        var now = Instant.parse("2030-01-31T12:00:00Z");
        var weekAgo = now.minus(Duration.ofDays(7));

        assertThat(Trend.of(now)).isBetween(Trend.of(weekAgo, 2) - 2, Trend.of(weekAgo, 2) + 2);
        assertThat(Trend.plus(Trend.of(now), Trend.of(now))).isBetween(Trend.of(now, 2) - 2, Trend.of(now, 2) + 2);
        assertThat(Trend.plus(0, Trend.of(now))).isEqualTo(Trend.of(now));
        assertThat(Trend.of(now, 3)).isGreaterThan(Trend.of(weekAgo, 5));
    }
}
