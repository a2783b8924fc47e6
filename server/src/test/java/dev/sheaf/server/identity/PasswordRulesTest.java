package dev.sheaf.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordRulesTest {
    private static final EmailAddress EMAIL = EmailAddress.parse("ada.lovelace@acme.test");
    private static final String LONG = "abcde".repeat(200);

    private static void check(String password) {
        PasswordRules.check("newPassword", Secret.of(password), EMAIL);
    }

    private static FieldError refused(String password) {
        var thrown = catchThrowableOfType(ProblemException.class, () -> check(password));
        assertThat(thrown).as(password).isNotNull();
        assertThat(thrown.problem()).isInstanceOf(Problem.ValidationFailed.class);
        return ((Problem.ValidationFailed) thrown.problem()).errors().getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a few words do", "xk7Qp2mW9vRt", "aaaabbbbccccdddde"})
    void isTaken(String password) {
        assertThatCode(() -> check(password)).doesNotThrowAnyException();
    }

    @Test
    void mayBeAsLongAsTheLimit() {
        assertThatCode(() -> check(LONG)).doesNotThrowAnyException();
    }

    @Test
    void isNoLongerThanTheLimit() {
        assertThat(refused(LONG + "f").code()).isEqualTo("range");
    }

    /// Eleven characters, of which each takes two places in memory and four bytes.
    @ParameterizedTest
    @ValueSource(strings = {"", "xk7Qp2mW9vR", "😀😁😂😃😄😅😆😇😈😉😊"})
    void hasTwelveCharacters(String password) {
        assertThat(refused(password).code()).isEqualTo("range");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada.lovelace@acme.test",
                "ADA.LOVELACE@acme.test",
                " ada.lovelace@acme.test ",
                "ada.lovelace",
                "Ada.Lovelace"
            })
    void isNotTheAddress(String password) {
        assertThat(refused(password).detail()).contains("must not be the e-mail address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"password1234", "PassWord1234", " password1234", "aaaaaaaaaaaa", "abcdabcdabcd"})
    void isNotTheFirstGuess(String password) {
        assertThat(refused(password).code()).isEqualTo("common");
    }

    @Test
    void theRefusalPointsToTheMember() {
        assertThat(refused("password1234").pointer()).isEqualTo("/newPassword");
    }
}
