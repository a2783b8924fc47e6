package dev.sheaf.model.oci;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.LogicalPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/markdown                      | text/markdown",
                "Text/Markdown; charset=utf-8       | text/markdown",
                "' application/vnd.a.b+json ;a;b=c' | application/vnd.a.b+json",
                "a/b                                | a/b",
                "application/x!#$&^_.+-             | application/x!#$&^_.+-"
            })
    void dropsParametersAndCase(String text, String type) {
        assertThat(MediaType.parse(text)).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "text/",
                "/plain",
                "text/plain/x",
                "te xt/plain",
                "text/pläin",
                "text/plain\n x",
                "*/*",
                "-a/b",
                ";a"
            })
    void refusesWhatIsNoMediaType(String text) {
        assertThat(refusal(() -> MediaType.parse(text)).detail()).contains("is not a media type");
    }

    @Test
    void takes127CharactersOnEachSide() {
        String longest = "t".repeat(127) + "/" + "s".repeat(127);

        assertThat(MediaType.parse(longest)).isEqualTo(longest);
        assertThat(refusal(() -> MediaType.parse(longest + "s")).code()).isEqualTo("format");
        assertThat(refusal(() -> MediaType.parse("t" + longest)).code()).isEqualTo("format");
    }

    @ParameterizedTest
    @CsvSource({
        "SKILL.md, text/markdown",
        "a/B.YAML, application/yaml",
        "a.tar.gz, application/gzip",
        "Makefile, application/octet-stream",
        "md, application/octet-stream",
        "a.unknown, application/octet-stream",
        "x.md/file, application/octet-stream",
        ".md, text/markdown"
    })
    void guessesFromTheEnding(String path, String type) {
        assertThat(MediaType.infer(LogicalPath.parse(path))).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.ts", "a.js", "a.py", "a.sh", "a.sql", "a.svg", "a.pdf", "a.zip", "a.toml", "a.csv"})
    void guessesOnlyWhatItWouldAlsoTake(String path) {
        String guessed = MediaType.infer(LogicalPath.parse(path));

        assertThat(MediaType.parse(guessed)).isEqualTo(guessed).isNotEqualTo(MediaType.OCTETS);
    }
}
