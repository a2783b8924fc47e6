package dev.sheaf.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextFormatTest {
    @ParameterizedTest
    @CsvSource({
        "abc, 3",
        "é, 1",
        "e\u0301, 1",
        "数据文件.bin, 12",
        "한글, 4",
        "ひらカタ, 8",
        "ｱｲ, 2",
        "ＡＢ, 4",
        "「」, 4",
        "🚀, 2",
        "…, 1",
        "Ω, 1"
    })
    void aTextIsAsWideAsATerminalShowsIt(String text, int width) {
        assertThat(TextFormat.width(text)).isEqualTo(width);
    }

    @ParameterizedTest
    @CsvSource({
        "abcdef, 6, abcdef",
        "abcdef, 5, abcd…",
        "数据文件, 8, 数据文件",
        "数据文件, 7, 数据文…",
        "数据文件, 6, 数据…",
        "数据文件, 2, …",
        "ab cd, 4, ab…",
        "abcdef, 1, …"
    })
    void whatIsCutFits(String text, int most, String cut) {
        assertThat(TextFormat.cut(text, most)).isEqualTo(cut);
        assertThat(TextFormat.width(TextFormat.cut(text, most))).isLessThanOrEqualTo(most);
    }

    @ParameterizedTest
    @CsvSource({"2026-01-02T03:04:05Z, 01-02 03:04:05", "never, never", "2026-01-02, 2026-01-02"})
    void aShortTimeHasNoYear(String text, String brief) {
        assertThat(TextFormat.withShortTime(text)).isEqualTo(brief);
    }
}
