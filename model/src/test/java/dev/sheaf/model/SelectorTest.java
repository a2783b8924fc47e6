package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTest {
    private static final String HEX = "0123456789abcdef".repeat(4);

    @Test
    void meansLatestWhereNothingWasAsked() {
        assertThat(Selector.parse("")).isEqualTo(new Selector.Default()).hasToString("latest");
    }

    @Test
    void readsADigestBeforeAnythingElse() {
        assertThat(Selector.parse("sha256:" + HEX)).isEqualTo(new Selector.ByDigest(Digest.parse("sha256:" + HEX)));
        assertThat(Selector.parse("sha512:" + HEX + HEX))
                .isEqualTo(new Selector.ByDigest(Digest.parse("sha512:" + HEX + HEX)));
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.3, 1.2.3",
        "1.2.3-rc.1, 1.2.3-rc.1",
        "1.2.3+build, 1.2.3+build",
        "1.2.3_build, 1.2.3+build",
        "0.0.0-0, 0.0.0-0"
    })
    void readsAnExactVersionBeforeATag(String text, String version) {
        assertThat(Selector.parse(text)).isEqualTo(new Selector.ByVersion(Version.parse(version)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"latest", "stable", "v", "2024-01-02", "1.2.3.4"})
    void readsATagBeforeARange(String text) {
        assertThat(Selector.parse(text)).isEqualTo(new Selector.ByTag(Tag.parse(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "1.2",
                "v1.2.3",
                "1.x",
                "^1.2",
                "~1.2.3",
                ">=1.2 <2",
                "1.2 - 1.4",
                "1 || 2",
                "*",
                "x",
                "%00",
                "a b"
            })
    void readsTheRestAsARange(String text) {
        assertThat(Selector.parse(text)).isEqualTo(new Selector.ByRange(text)).hasToString(text);
    }

    @Test
    void refusesABrokenDigestInsteadOfReadingARange() {
        assertThat(refusal(() -> Selector.parse("sha256:abc")).detail()).contains("64 lower-case hex");
    }

    @Test
    void takes256CharactersAndNotOneMore() {
        assertThat(Selector.parse("<" + "1".repeat(255))).isInstanceOf(Selector.ByRange.class);
        assertThat(refusal(() -> Selector.parse("<" + "1".repeat(256))).code()).isEqualTo("too-long");
    }

    @Test
    void readsEveryOtherTextAndGivesItBack() {
        Gen.forAll(5_000, gen -> {
            String text = gen.anyText(1, 30);

            var selector = Selector.parse(text);

            String same = selector instanceof Selector.ByVersion ? text.replace('_', '+') : text;
            assertThat(selector.toString().replace(' ', '+')).isEqualTo(same.replace(' ', '+'));
        });
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            >=1.0+<2         ; >=1.0 <2
            1.0+-+1.9        ; 1.0 - 1.9
            >=1.0.0+b.7+<2   ; >=1.0.0+b.7 <2
            ^1.0.0+b-7       ; ^1.0.0+b-7
            """, delimiterString = ";")
    void readsAPlusAsASpaceWhereAFormWroteOne(String text, String range) {
        assertThat(Selector.parse(text)).isEqualTo(new Selector.ByRange(range));
    }
}
