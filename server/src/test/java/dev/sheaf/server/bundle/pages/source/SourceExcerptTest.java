package dev.sheaf.server.bundle.pages.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceExcerptTest {
    private static final int ROOM = 10_000;
    private static final String TOKEN = "ghp_x7KqAbCdEfGhIjKlMnOpQrStUvWxYz012345";

    private static String shown(MarkedLine line) {
        return line.pieces().stream().map(LinePiece::text).collect(Collectors.joining());
    }

    @Test
    void hiddenCharactersAreWrittenOut() {
        var line = SourceExcerpt.of(MarkedText.of("a\u202Eb\u200B\u200B\u200Bc"), 0, ROOM)
                .lines()
                .getFirst();

        assertThat(line.tone()).isEqualTo("bad");
        assertThat(shown(line)).isEqualTo("aU+202EbU+200B \u00D7 3c");
        assertThat(line.pieces().get(1).title()).isEqualTo("RIGHT-TO-LEFT OVERRIDE");
    }

    @Test
    void aCarriageReturnAloneIsNoEndOfALine() {
        var lines = SourceExcerpt.of(MarkedText.of("a\r\nb\rc\r\n"), 0, ROOM).lines();

        assertThat(lines).extracting(SourceExcerptTest::shown).containsExactly("a", "bU+000Dc");
    }

    @Test
    void ofASecretEightLettersAreShown() {
        var lines = SourceExcerpt.of(MarkedText.of("key: " + TOKEN + "; x"), 0, ROOM)
                .lines();

        assertThat(shown(lines.getFirst())).isEqualTo("key: ghp_x7Kq; x");
        assertThat(lines.getFirst().tone()).isEqualTo("warn");
    }

    @Test
    void allSecretsAreCoveredHoweverManyThereAre() {
        String text = "%s\n".formatted(TOKEN).repeat(100);

        assertThat(SourceExcerpt.of(MarkedText.of(text), 0, 1 << 20).lines())
                .hasSize(100)
                .allMatch(line -> shown(line).equals("ghp_x7Kq"));
    }

    @Test
    void aPrivateKeyIsCoveredToItsEnd() {
        String text = "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEowIBAAKCAQEAxyzabcdef\nabc\n-----END RSA "
                + "PRIVATE KEY-----\nnext\n";

        assertThat(SourceExcerpt.of(MarkedText.of(text), 0, ROOM).lines())
                .extracting(SourceExcerptTest::shown)
                .containsExactly("-----BEG", "", "", "-----END RSA PRIVATE KEY-----", "next");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\n", "<&\n", "\u202E\n", "\u200Bx", "\uD83D\uDE00", "long line without an end ", "\n"})
    void allOfATextIsShownPageByPage(String piece) {
        String text = piece.repeat(60_000 / piece.length());
        var marked = MarkedText.of(text);
        var pages = new ArrayList<SourceExcerpt>();
        int at = 0;
        do {
            var page = SourceExcerpt.of(marked, at, ROOM);
            assertThat(page.next()).isGreaterThan(at);
            pages.add(page);
            at = page.next();
        } while (at < text.length());

        assertThat(pages).hasSizeGreaterThan(1).allMatch(page -> bytes(page) <= ROOM + 200);
        assertThat(pages.getLast().lastLine()).isEqualTo(Math.max(1, SourceExcerpt.count(text)));
    }

    private static int bytes(SourceExcerpt page) {
        return page.lines().stream()
                .mapToInt(line ->
                        30 + line.pieces().stream().mapToInt(LinePiece::weight).sum())
                .sum();
    }

    @Test
    void aLineIsFoundByItsNumber() {
        assertThat(List.of(1, 2, 3, 9))
                .extracting(line -> SourceExcerpt.lineStart("a\nbc\nd\n", line))
                .containsExactly(0, 2, 5, 5);
    }
}
