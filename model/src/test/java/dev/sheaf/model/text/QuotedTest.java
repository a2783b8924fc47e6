package dev.sheaf.model.text;

import dev.sheaf.model.Gen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotedTest {
    @Test
    void leavesOrdinaryTextAlone() {
        assertThat(Quoted.of("größe 日本 👍")).isEqualTo("\"größe 日本 👍\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x0A   | \\u{a}",
                "0x1B   | \\u{1b}",
                "0x85   | \\u{85}",
                "0x202E | \\u{202e}",
                "0x2066 | \\u{2066}",
                "0x200B | \\u{200b}",
                "0x2028 | \\u{2028}",
                "0xFEFF | \\u{feff}",
                "0xE000 | \\u{e000}",
                "0xE0041 | \\u{e0041}"
            })
    void spellsOutWhatCannotBeSeen(int codePoint, String shown) {
        assertThat(Quoted.of("a" + Character.toString(codePoint) + "b")).isEqualTo("\"a" + shown + "b\"");
    }

    @Test
    void escapesQuotesSoThatTheEndIsTheEnd() {
        assertThat(Quoted.of("a\" or \\")).isEqualTo("\"a\\\" or \\\\\"");
    }

    @Test
    void letsNoControlFormatOrHalfCharacterThrough() {
        Gen.forAll(5_000, gen -> {
            String shown = Quoted.of(gen.anyText(0, 200));

            assertThat(shown.codePoints()).noneMatch(QuotedTest::isDangerous);
        });
    }

    private static boolean isDangerous(int c) {
        return Character.isISOControl(c)
                || Character.getType(c) == Character.FORMAT
                || Character.getType(c) == Character.SURROGATE
                || c == 0x2028
                || c == 0x2029;
    }

    @Test
    void showsAtMost80Characters() {
        assertThat(Quoted.of("👍".repeat(80))).isEqualTo("\"" + "👍".repeat(80) + "\"");
        assertThat(Quoted.of("👍".repeat(81))).isEqualTo("\"" + "👍".repeat(80) + "…\"");
    }
}
