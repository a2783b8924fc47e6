package dev.sheaf.server.bundle.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.OverBudgetException;
import dev.sheaf.server.bundle.diff.LineDiff.Text;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Unified diffs, and what they may cost.
class LineDiffTest {
    private static Optional<String> diff(String before, String after) {
        return new LineDiff(Budget.of(Duration.ofMinutes(1))).unified("a/x", "b/x", new Text(before), new Text(after));
    }

    @Test
    void saysWhatChangedWithThreeLinesAround() {
        assertThat(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n"))
                .contains("""
                        --- a/x
                        +++ b/x
                        @@ -2,8 +2,9 @@
                         2
                         3
                         4
                        -5
                        +five
                         6
                         7
                         8
                         9
                        +10
                        """);
    }

    @Test
    void tellsAFinalNewlineThatComesOrGoes() {
        assertThat(diff("a\nb\n", "a\nb")).contains("""
                --- a/x
                +++ b/x
                @@ -1,2 +1,2 @@
                 a
                -b
                +b
                \\ No newline at end of file
                """);
    }

    @Test
    void saysWhatCameAndWhatWent() {
        var lines = new LineDiff(Budget.of(Duration.ofMinutes(1)));

        assertThat(lines.unified("/dev/null", "b/x", Text.NONE, new Text("a\n")))
                .contains("""
                --- /dev/null
                +++ b/x
                @@ -0,0 +1,1 @@
                +a
                """);
        assertThat(lines.unified("a/x", "/dev/null", new Text("a\n"), Text.NONE).orElseThrow())
                .endsWith("-a\n");
    }

    @Test
    void appliesTo() {
        var random = new Random(11);
        for (int i = 0; i < 50; i++) {
            String before = lines(random, 60, 5);
            String after = lines(random, 60, 5);
            String diff = diff(before, after).orElseThrow();
            assertThat(sides(diff, '-')).as(diff).isEqualTo(inHunks(before, diff, 1));
        }
    }

    /// The lines of one side that a diff shows.
    private static String sides(String diff, char side) {
        return diff.lines()
                .skip(2)
                .filter(line -> line.startsWith(" ") || line.charAt(0) == side)
                .map(line -> line.substring(1))
                .collect(Collectors.joining("\n"));
    }

    /// The lines of a text that the headers of the hunks name.
    private static String inHunks(String text, String diff, int group) {
        var all = text.lines().toList();
        return diff.lines()
                .filter(line -> line.startsWith("@@"))
                .flatMap(line -> {
                    var numbers = line.split(" ")[group].substring(1).split(",");
                    int from = Integer.parseInt(numbers[0]) - 1;
                    int count = numbers.length == 1 ? 1 : Integer.parseInt(numbers[1]);
                    return all.subList(Math.max(from, 0), Math.max(from, 0) + count).stream();
                })
                .collect(Collectors.joining("\n"));
    }

    private static String lines(Random random, int count, int kinds) {
        return IntStream.range(0, count)
                .mapToObj(i -> "line " + random.nextInt(kinds) + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void hostileTextsCostNoMoreThanTheBudget() {
        var random = new Random(13);
        var lines = new LineDiff(Budget.of(Duration.ofMinutes(1)));
        int made = 0;
        for (int i = 0; i < 500; i++) {
            made += lines.unified("a", "b", new Text(lines(random, 1_900, 400)), new Text(lines(random, 1_900, 400)))
                            .isPresent()
                    ? 1
                    : 0;
        }

        assertThat(made).isBetween(1, 4);
        assertThat(lines.unified("a", "b", new Text(lines(random, 5_000, 400)), new Text(lines(random, 5_000, 400))))
                .isEmpty();
    }

    @Test
    void aSmallChangeInALongTextIsCheap() {
        String common = IntStream.range(0, 30_000).mapToObj(i -> i + "\n").collect(Collectors.joining());

        assertThat(diff(common + "x\n" + common, common + "y\n" + common).orElseThrow())
                .contains("-x\n+y\n");
    }

    @Test
    void likenessIsTheShareOfCommonLines() {
        assertThat(new LineDiff(Budget.of(Duration.ofMinutes(1)))
                        .likeness(new Text("a\nb\nc\nd\n"), new Text("d\na\nb\nx\n")))
                .isEqualTo(75);
        assertThat(new LineDiff(Budget.of(Duration.ofMinutes(1))).likeness(Text.NONE, Text.NONE))
                .isZero();
    }

    /// A hundred files of nothing but line ends are 25 million lines to look at.
    @Test
    void allTextsTogetherHaveABoundedNumberOfLines() {
        var lines = new LineDiff(Budget.of(Duration.ofMinutes(1)));
        var before = new Text("\n".repeat(90_000));
        var after = new Text("\n".repeat(89_000) + "x");

        assertThat(lines.unified("a/1", "b/1", before, after)).isPresent();
        assertThat(lines.unified("a/2", "b/2", before, after)).isEmpty();
        assertThat(lines.likeness(before, after)).isZero();
        assertThat(lines.unified("a/3", "b/3", new Text("a\n"), new Text("b\n")))
                .as("what is small still has room")
                .isPresent();
    }

    @Test
    void comparingEndsWhereNobodyWaitsForIt() {
        var budget = Budget.of(Duration.ofMinutes(1));
        budget.cancel();

        assertThatThrownBy(() -> new LineDiff(budget).unified("a/1", "b/1", new Text("a\n"), new Text("b\n")))
                .isInstanceOf(OverBudgetException.class);
    }

    @Test
    void whiteSpaceCanBeIgnored() {
        var before = new LineDiff.Text("if (a) {\n\tb();\n}\nend");
        var after = new LineDiff.Text("if (a) {\r\n    b();\r\n}\r\n\nend\n");
        var diff = new LineDiff(Budget.of(Duration.ofSeconds(60)), WhiteSpace.IGNORE);

        assertThat(diff.unified("a", "b", before, after))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("\n \tb();\n", "\n+\n", "\n end")
                        .doesNotContain("\n-", "+    b"));
        assertThat(diff.unified("a", "b", before, new LineDiff.Text(" if(a){\nb();\n }\nend\n")))
                .hasValue("");
        // no blank of a keyboard: it can hide something
        assertThat(diff.unified("a", "b", new LineDiff.Text("a b"), new LineDiff.Text("a\u2003b"))
                        .orElseThrow())
                .contains("\u2003");
    }
}
