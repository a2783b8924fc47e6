package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionSelectorTest {
    private static final String HEX = "0123456789abcdef".repeat(4);

    @Test
    void meansLatestWhereNothingWasAsked() {
        assertThat(VersionSelector.parse(""))
                .isEqualTo(new VersionSelector.Default())
                .hasToString("latest");
    }

    @Test
    void readsADigestBeforeAnythingElse() {
        assertThat(VersionSelector.parse("sha256:" + HEX))
                .isEqualTo(new VersionSelector.ByDigest(Digest.parse("sha256:" + HEX)));
        assertThat(VersionSelector.parse("sha512:" + HEX + HEX))
                .isEqualTo(new VersionSelector.ByDigest(Digest.parse("sha512:" + HEX + HEX)));
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
        assertThat(VersionSelector.parse(text)).isEqualTo(new VersionSelector.ByVersion(Version.parse(version)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"latest", "stable", "v", "2024-01-02", "1.2.3.4"})
    void readsATagBeforeARange(String text) {
        assertThat(VersionSelector.parse(text)).isEqualTo(new VersionSelector.ByTag(Tag.parse(text)));
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
        assertThat(VersionSelector.parse(text))
                .isEqualTo(new VersionSelector.ByRange(text))
                .hasToString(text);
    }

    @Test
    void refusesABrokenDigestInsteadOfReadingARange() {
        assertThat(refusal(() -> VersionSelector.parse("sha256:abc")).detail()).contains("64 lower-case hex");
    }

    @Test
    void takes256CharactersAndNotOneMore() {
        assertThat(VersionSelector.parse("<" + "1".repeat(255))).isInstanceOf(VersionSelector.ByRange.class);
        assertThat(refusal(() -> VersionSelector.parse("<" + "1".repeat(256))).code())
                .isEqualTo("too-long");
    }

    @Test
    void readsEveryOtherTextAndGivesItBack() {
        Gen.forAll(5_000, gen -> {
            String text = gen.anyText(1, 30);

            var selector = VersionSelector.parse(text);

            String same = selector instanceof VersionSelector.ByVersion ? text.replace('_', '+') : text;
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
        assertThat(VersionSelector.parse(text)).isEqualTo(new VersionSelector.ByRange(range));
    }
}
