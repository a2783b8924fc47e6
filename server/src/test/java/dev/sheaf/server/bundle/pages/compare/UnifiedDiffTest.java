package dev.sheaf.server.bundle.pages.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.server.bundle.diff.WordDiff;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnifiedDiffTest {
    private static final String DIFF = """
            --- a/x
            +++ b/x
            @@ -3,4 +3,4 @@
             same
            -old word
            +new word
            +--- no header
             same
            \\ No newline at end of file
            """;

    private static WordDiff words() {
        return new WordDiff(Budget.of(Duration.ofSeconds(10)));
    }

    @Test
    void readsRowsWithTheirNumbers() {
        assertThat(UnifiedDiff.rows(DIFF, 0, 100))
                .extracting(row -> row.kind() + " " + row.before() + " " + row.after() + " " + row.text())
                .containsExactly(
                        "@ 3 3 ",
                        "  3 3 same",
                        "- 4 4 old word",
                        "+ 5 4 new word",
                        "+ 5 5 --- no header",
                        "  5 6 same");
        assertThat(UnifiedDiff.count(DIFF)).isEqualTo(new UnifiedDiff.Count(2, 1));
    }

    @Test
    void marksWordsAndSaysHowManyLinesAreLeftOut() {
        var diff = FileDiff.of(DIFF, 0, new FileDiff.Page(100_000, 100, false), OpenedGaps.NONE, words());

        assertThat(diff.rows().getFirst().gap()).isEqualTo(2);
        assertThat(diff.rows().getFirst().left()).isEqualTo("1 to 2");
        assertThat(diff.rows().get(2).pieces())
                .filteredOn(LinePiece::isChanged)
                .extracting(LinePiece::text)
                .containsExactly("old");
        assertThat(diff.next()).isZero();
    }

    @Test
    void whatDoesNotFitGoesOnWhereItEnded() {
        var diff = new StringBuilder("--- a/x\n+++ b/x\n@@ -1,0 +1,5000 @@\n");
        for (int i = 1; i <= 5_000; i++) {
            diff.append("+line ").append(i).append('\n');
        }
        int at = 0;
        int rows = 0;
        do {
            var part =
                    FileDiff.of(diff.toString(), at, new FileDiff.Page(20_000, 100, false), OpenedGaps.NONE, words());
            rows += part.rows().size();
            assertThat(part.next()).isNotEqualTo(at);
            at = part.next();
        } while (at > 0);

        assertThat(rows).isEqualTo(5_000);
    }

    @Test
    void sidesStandBesideEachOther() {
        var pairs = FileDiff.of(DIFF, 0, new FileDiff.Page(100_000, 100, false), OpenedGaps.NONE, words())
                .pairs();

        assertThat(pairs).hasSize(5);
        assertThat(pairs.get(3).before()).isNull();
        assertThat(pairs.get(3).after()).isNotNull();
    }
}
