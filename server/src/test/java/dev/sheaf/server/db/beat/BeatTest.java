package dev.sheaf.server.db.beat;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Digest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BeatTest {
    private static final Beat.Look LOOK = new Beat.Look("1:3:2", "3:9:4,5", 1_795_000_000_123L);
    private static final UnaryOperator<String> SEALER =
            text -> Digest.sha256(text.getBytes(StandardCharsets.UTF_8)).hex();
    private static final String KIT = "REPOSITORY:acme/kit";
    private static final String KEY = "API_KEY:0199";

    @Test
    void keepsWhatItTells() {
        var texts = encode(40, LOOK, List.of(KIT, KEY));

        assertThat(texts).hasSize(1);
        var beat = Beat.parse(texts.getFirst());
        assertThat(beat).isEqualTo(new Beat(40, LOOK, List.of(KIT, KEY), beat.seal()));
        assertThat(Beat.parse(encode(2, null, List.of(KIT)).getFirst())).isEqualTo(new Beat(2, null, List.of(KIT), ""));
        assertThat(Beat.parse(encode(2, LOOK, List.of()).getFirst()).look()).isEqualTo(LOOK);
    }

    private static List<String> encode(int nodes, Beat.@Nullable Look look, List<String> changes) {
        return Beat.encode(nodes, look, changes, SEALER);
    }

    @Test
    void aSealIsThatOfTheWholeMessageUnderOneSecret() {
        String text = encode(40, LOOK, List.of(KIT, KEY)).getFirst();

        assertThat(Beat.parse(text).isSealed(SEALER)).isTrue();
        assertThat(Beat.parse(text).isSealed(other -> SEALER.apply("other" + other)))
                .isFalse();
        assertThat(List.of(
                        text.replace("\n" + KIT, ""),
                        text.replace("3:9:4,5", "3:9:4"),
                        text.replace("40\n", "41\n"),
                        text.replaceFirst(" [0-9a-f]{64}", ""),
                        text.replaceFirst(" [0-9a-f]{64}", " ")))
                .noneMatch(other -> Beat.parse(other).isSealed(SEALER));
        assertThat(Beat.parse("40").isSealed(SEALER)).isFalse();
    }

    /// Release 0.2.0 sends and understands this.
    @Test
    void mayBeANumberAlone() {
        assertThat(Beat.parse("40")).isEqualTo(new Beat(40, null, List.of(), ""));
    }

    /// PostgreSQL refuses a text of 8,000 bytes.
    @Test
    void tooMuchForOneMessageIsSentInSeveralOfWhichOnlyTheLastHasTheLook() {
        var changes = IntStream.range(0, 1_000)
                .mapToObj(i -> "REPOSITORY:große-namen/kit-" + i)
                .toList();

        var texts = encode(3, LOOK, changes);

        assertThat(texts).allMatch(text -> text.getBytes(StandardCharsets.UTF_8).length < 8_000);
        var beats = texts.stream().map(Beat::parse).toList();
        assertThat(beats.stream().flatMap(beat -> beat.changes().stream())).containsExactlyElementsOf(changes);
        assertThat(beats.getLast().look()).isEqualTo(LOOK);
        assertThat(beats.subList(0, beats.size() - 1)).hasSizeGreaterThan(3).allMatch(beat -> beat.look() == null);
    }

    @Test
    void aLookBesideHundredsOfTransactionsMayNotFit() {
        assertThat(beside(250).fits()).isTrue();
        var largest = IntStream.iterate(0, i -> i + 1)
                .takeWhile(i -> beside(i).fits())
                .mapToObj(BeatTest::beside)
                .toList()
                .getLast();

        assertThat(encode(1_000, largest, List.of("REPOSITORY:" + "a".repeat(255) + "/" + "b".repeat(255))))
                .allMatch(text -> text.length() < 8_000);
    }

    private static Beat.Look beside(int transactions) {
        String running = IntStream.range(0, transactions)
                .mapToObj(i -> "" + (1_000_000_000L + i))
                .collect(joining(","));
        String snapshot = "1000000000:1000002000:" + running;
        return new Beat.Look(snapshot, snapshot, LOOK.millis());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "many",
                "3\nno look",
                "3\n1:3:2 3:9:4",
                "3\n1:3:2 3:9:4,5 now",
                "3\n1:3:2 soon 5",
                "3\nsoon 3:9:4 5",
                "99999999999"
            })
    void isNoOtherText(String text) {
        assertThatThrownBy(() -> Beat.parse(text)).isInstanceOf(RuntimeException.class);
    }
}
