package dev.sheaf.server.bundle.pages.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.OverBudgetException;
import dev.sheaf.server.bundle.pages.source.MarkedText;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The findings of a text, and the work for them.
class LineFindingTest {
    private static final String LONG = "\u0001".repeat(1 << 20);

    private static LineFinding.All of(String text) {
        return LineFinding.of(MarkedText.of(text), Budget.of(Duration.ofSeconds(1)));
    }

    @Test
    void namesTheLinesAndCountsTheRest() {
        var few = of("a\n\u200B\u200B\u00AD\n\nb\u202E");

        assertThat(few.shown())
                .containsExactly(
                        new LineFinding(2, "U+200B (zero width space), U+00AD (soft hyphen)", false),
                        new LineFinding(4, "U+202E (right-to-left override)", false));
        assertThat(few.hidden()).isEqualTo(4);
        assertThat(few.more()).isFalse();

        assertThat(of("\u0001\n".repeat(8)).more()).isFalse();
        var many = of("\u0001\n".repeat(9));
        assertThat(many.shown()).hasSize(8).extracting(LineFinding::line).endsWith(8);
        assertThat(many.hidden()).isEqualTo(9);
        assertThat(many.more()).isTrue();
    }

    @Test
    void aLineOfHiddenCharactersTakesTimeInProportionToItsLength() {
        assertThat(of(LONG).hidden()).isEqualTo(LONG.length());
        assertThat(of(LONG).shown()).hasSize(1);
        assertThat(of("\n".repeat(9) + LONG).shown().getFirst().line()).isEqualTo(10);
    }

    @Test
    void theWorkEndsWithItsBudget() {
        var budget = Budget.of(Duration.ofSeconds(1));
        budget.cancel();
        var marked = MarkedText.of("a\u0001");

        assertThatThrownBy(() -> LineFinding.of(marked, budget)).isInstanceOf(OverBudgetException.class);
    }
}
