package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TagTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "latest",
                "stable",
                "_",
                "A",
                "v",
                "version-2",
                "2024-01-02",
                "1.2.3.4",
                "rc1",
                "x86",
                "nightly.7",
                "a_b"
            })
    void takesWords(String text) {
        var tag = Tag.parse(text);

        assertThat(tag).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", ".a", "a b", "a/b", "a:b", "a+b", "é", "a\n", "*", "^1", ">=1", "1||2"})
    void refusesWhatNoOciTagMayBe(String text) {
        var error = refusal(() -> Tag.parse(text));

        assertThat(error.detail()).contains("must be 1 to 128");
        assertThat(Tag.isTagShaped(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2.3", "1.2.3-rc.1", "1.2.3_build", "1.2.3-rc.1_build"})
    void refusesAFullVersion(String text) {
        var error = refusal(() -> Tag.parse(text));

        assertThat(error.detail()).contains("is a version number");
        assertThat(Tag.isTagShaped(text)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "3.20, 3.20.1, 3.21.0",
        "v1.30.2, 1.30.2, 1.30.3",
        "20240501, 20240501.0.0, 1.0.0",
        "1234567, 1234567.8.9, 2.0.0",
        "x, 9.9.9, 1.0.0-rc.1",
        "1.x, 1.5.0, 2.0.0",
        "1.2.X, 1.2.9, 1.3.0",
        "v1, 1.0.0, 1.0.0-0"
    })
    void meansWhereItReadsAsARangeVersionsInItAlone(String text, String inside, String outside) {
        var tag = Tag.parse(text);

        assertThat(tag.range()).isPresent();
        assertThat(tag.mayMean(Version.parse(inside))).isTrue();
        assertThat(tag.mayMean(Version.parse(outside))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"24.04", "01.0.0", "V1.2", "latest", "1.2.3.4", "x86", "1.x.3"})
    void meansAnyVersionWhereItIsAWord(String text) {
        var tag = Tag.parse(text);

        assertThat(tag.range()).isEmpty();
        assertThat(tag.mayMean(Version.parse("7.8.9-rc.1"))).isTrue();
    }

    @Test
    void takes128CharactersAndNotOneMore() {
        assertThat(Tag.parse("t".repeat(128)).value()).hasSize(128);
        assertThat(refusal(() -> Tag.parse("t".repeat(129))).code()).isEqualTo("format");
    }
}
