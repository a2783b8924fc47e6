package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameGrammarTest {
    private static final List<Function<String, Object>> PARSERS =
            List.of(Namespace::parse, BundleName::parseSlug, Handle::parse);

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "java-kit", "a--b", "9-9", "xn--abc"})
    void takesTheGrammarOfTheContract(String text) {
        PARSERS.forEach(parser -> assertThat(parser.apply(text)).hasToString(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "-a", "a-", "A", "a_b", "a.b", "a b", "a/b", "ä", "a\n", "а", "１", "a\u0000"})
    void refusesEverythingElse(String text) {
        PARSERS.forEach(
                parser -> assertThat(refusal(() -> parser.apply(text)).code()).isEqualTo("format"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a_b", "a__b", "a.b", "a--b", "a.b_c-d"})
    void aBundleMayBeCalledAsRepositoriesElsewhere(String text) {
        assertThat(BundleName.parseBundle(text)).hasToString(text);
        assertThat(BundleName.parseBundle(text).isSlug()).isEqualTo(text.equals("a--b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a___b", "a..b", "a._b", "_a", "a.", ".a", "A_b", "a.git", "a_b.json", "ä.b"})
    void butNotOtherwise(String text) {
        assertThat(refusal(() -> BundleName.parseBundle(text)).code()).isEqualTo("format");
    }

    @Test
    void takesOneTo100Characters() {
        PARSERS.forEach(parser -> {
            assertThat(parser.apply("n".repeat(100))).hasToString("n".repeat(100));
            assertThat(refusal(() -> parser.apply("n".repeat(101))).code()).isEqualTo("too-long");
            assertThat(refusal(() -> parser.apply("")).code()).isEqualTo("required");
        });
    }

    @Test
    void splitsARepositoryNameAtItsSlash() {
        var name = RepositoryName.parse("acme/java-kit");

        assertThat(name.namespace()).isEqualTo(new Namespace("acme"));
        assertThat(name.bundle()).isEqualTo(new BundleName("java-kit"));
    }
}
