package dev.sheaf.server.http.policy;

import static dev.sheaf.server.testing.Refusals.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.key.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialReaderTest {
    @Test
    void isAnonymousOnlyWithoutTheHeader() {
        assertThat(CredentialReader.read(List.of(), true)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer k", "bearer k", "BEARER k", "  Bearer   k  "})
    void readsABearer(String header) {
        assertThat(CredentialReader.read(List.of(header), false)).contains(Secret.of("k"));
    }

    @ParameterizedTest
    @CsvSource({"user:k, k", ":k, k", "user:a:b, a:b", "größe:schlüssel, schlüssel"})
    void readsThePasswordOfBasicWhoeverTheUser(String pair, String password) {
        assertThat(CredentialReader.read(List.of("Basic " + base64(pair)), true))
                .contains(Secret.of(password));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "Bearer",
                "Bearer ",
                "Bearer\tk",
                "k",
                "Token k",
                "Digest k",
                "Basic",
                "Basic ",
                "Basic !",
                "Basic dTprIA"
            })
    void refusesEverythingElseInsteadOfReadingItAsAnonymous(String header) {
        assertThat(fault(() -> CredentialReader.read(List.of(header), false))).isEqualTo(CredentialFault.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "user", "user:"})
    void refusesBasicWithoutAPassword(String pair) {
        assertThat(fault(() -> CredentialReader.read(List.of("Basic " + base64(pair)), true)))
                .isEqualTo(CredentialFault.MALFORMED);
    }

    @Test
    void refusesBasicWhereOnlyBearerIsTaken() {
        assertThat(fault(() -> CredentialReader.read(List.of("Basic " + base64("u:k")), false)))
                .isEqualTo(CredentialFault.MALFORMED);
    }

    @Test
    void refusesTwoHeadersEvenIfTheyAgree() {
        assertThat(fault(() -> CredentialReader.read(List.of("Bearer k", "Bearer k"), true)))
                .isEqualTo(CredentialFault.MALFORMED);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
