package dev.sheaf.model.key;

import dev.sheaf.model.Visibility;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScopeTest {
    /// The table of the specification, "Scopes".
    @ParameterizedTest
    @CsvSource({
        "READ, READ, true", "READ, WRITE, false", "READ, ADMIN, false",
        "WRITE, READ, true", "WRITE, WRITE, true", "WRITE, ADMIN, false",
        "ADMIN, READ, true", "ADMIN, WRITE, true", "ADMIN, ADMIN, true"
    })
    void includesTheLowerOnes(Scope held, Scope needed, boolean enough) {
        assertThat(held.includes(needed)).isEqualTo(enough);
    }

    @ParameterizedTest
    @CsvSource({"read, READ", "write, WRITE", "admin, ADMIN"})
    void hasALowerCaseNameOnTheWire(String wire, Scope scope) {
        assertThat(Scope.find(wire)).contains(scope);
        assertThat(scope).hasToString(wire);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "READ", "owner", "read "})
    void isNotFoundUnderOtherWords(String wire) {
        assertThat(Scope.find(wire)).isEmpty();
    }

    @Test
    void readsTheTwoWordsOfVisibility() {
        assertThat(Visibility.parse("private")).isEqualTo(Visibility.PRIVATE).hasToString("private");
        assertThat(Visibility.parse("public")).isEqualTo(Visibility.PUBLIC).hasToString("public");
        assertThat(refusal(() -> Visibility.parse("Public")).detail())
                .isEqualTo("must be \"private\" or \"public\", not \"Public\"");
    }
}
