package dev.sheaf.server.bundle.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.Budget;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordDiffTest {
    private static List<String> parts(String line, List<WordDiff.Span> spans) {
        return spans.stream()
                .map(span -> line.substring(span.from(), span.to()))
                .toList();
    }

    private static WordDiff diff() {
        return new WordDiff(Budget.of(Duration.ofSeconds(10)));
    }

    @Test
    void tellsWhichWordsChanged() {
        String before = "* No block anywhere is MEDIUM (inherits it).";
        String after = "* No block anywhere is HIGH (inherits it all).";

        var words = diff().between(before, after);

        assertThat(parts(before, words.before())).containsExactly("MEDIUM");
        assertThat(parts(after, words.after())).containsExactly("HIGH", " all");
    }

    @Test
    void saysNothingOfLinesThatHaveHardlyAnythingInCommon() {
        assertThat(diff().between("one two three", "four five six seven")).isEqualTo(WordDiff.Words.NONE);
    }

    @Test
    void aHiddenCharacterIsAChange() {
        String after = "a branch \u202Enamed x";

        assertThat(parts(after, diff().between("a branch named x", after).after()))
                .containsExactly("\u202E");
    }

    @Test
    void whereItWouldBeTooMuchAllBetweenTheEndsIsDifferent() {
        String before = "same " + "a b ".repeat(200) + "same";
        String after = "same " + "b a ".repeat(200) + "same";
        var diff = diff();
        for (int i = 0; i < 2_000; i++) {
            diff.between(before, after);
        }

        assertThat(diff.between("same same same x, y", "same same same y, x").after())
                .isNotEmpty();
    }
}
