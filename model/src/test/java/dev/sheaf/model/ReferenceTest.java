package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceTest {
    private static final String DIGEST = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void meansTheDefaultWithoutASuffix() {
        var reference = Reference.parse("acme/java-kit");

        assertThat(reference.repository()).hasToString("acme/java-kit");
        assertThat(reference.selector()).isEqualTo(new VersionSelector.Default());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a/b:latest", "a/b:1.2.3-rc.1+x", "a/b:^1.2", "a/b:>=1 <2", "a/b@" + DIGEST})
    void spellsItselfAsItWasRead(String text) {
        assertThat(Reference.parse(text)).hasToString(text);
    }

    @Test
    void takesADigestAfterTheAtSign() {
        assertThat(Reference.parse("a/b@" + DIGEST).selector())
                .isEqualTo(new VersionSelector.ByDigest(Digest.parse(DIGEST)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a            | has no \"/\"",
                "''           | has no \"/\"",
                "/b           | the namespace is empty",
                "a/           | the slug is empty",
                "a/b/c        | the slug \"b/c\" may contain",
                "A/b          | the namespace \"A\" may contain",
                "a/b:         | ends in \":\"",
                "a/b@1.0.0    | must be sha256: or sha512:",
                "a/b@         | must be sha256: or sha512:",
                "a:1.0.0      | has no \"/\"",
            })
    void namesThePartThatIsWrong(String text, String detail) {
        assertThat(refusal(() -> Reference.parse(text)).detail()).contains(detail);
    }
}
