package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    @ValueSource(
            strings = {
                "1.2.3",
                "1.2.3-rc.1",
                "1.2.3_build",
                "1.2.3-rc.1_build",
                "1",
                "v1",
                "V1.2",
                "1.2",
                "x",
                "X",
                "1.x",
                "1.2.X",
                "v1.2.3",
                "v1.2.3-rc.1",
                "01.2.3",
                "x.x.x"
            })
    void refusesWhatReadsAsAVersionOrARange(String text) {
        var error = refusal(() -> Tag.parse(text));

        assertThat(error.detail()).contains("reads as a version or a range");
        assertThat(Tag.isTagShaped(text)).isTrue();
    }

    @Test
    void takes128CharactersAndNotOneMore() {
        assertThat(Tag.parse("t".repeat(128)).value()).hasSize(128);
        assertThat(refusal(() -> Tag.parse("t".repeat(129))).code()).isEqualTo("format");
    }
}
