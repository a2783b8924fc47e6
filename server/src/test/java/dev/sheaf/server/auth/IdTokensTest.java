package dev.sheaf.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tokens of providers that nobody has signed (RFC 7519, section 6; RFC 8725, section 3.1).
class IdTokensTest {
    private static final String ISSUER = "https://issuer.invalid"; // which cannot be asked, and is not

    private static String base64(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", "nOnE"})
    void anUnsignedTokenIsRefused(String algorithm) {
        String claims =
                base64("{\"iss\": \"" + ISSUER + "\", \"aud\": \"sheaf\", \"sub\": \"ada\", \"exp\": 4000000000}");
        String header = base64("{\"alg\": \"" + algorithm + "\", \"typ\": \"JWT\"}");
        var tokens = new IdTokens(List.of(ISSUER));

        for (String signature : List.of("", base64("signature"))) {
            var refused = catchThrowableOfType(
                    ProblemException.class,
                    () -> tokens.verifyOfPerson(
                            header + "." + claims + "." + signature, Set.of("sheaf"), Instant.EPOCH));

            assertThat(refused).isNotNull();
            assertThat(refused.problem()).isInstanceOf(Problem.TokenRefused.class);
        }
    }
}
