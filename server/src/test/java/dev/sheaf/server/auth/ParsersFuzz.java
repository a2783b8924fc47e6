package dev.sheaf.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/// What is read of callers, on any bytes.
class ParsersFuzz {
    private static final Tokens TOKENS =
            new Tokens(MasterSecret.parse(Base64.getEncoder().encodeToString(new byte[32])));

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    @FuzzTest
    void cidr(byte[] data) {
        try {
            var cidr = Cidr.parse(text(data));
            assertThat(Cidr.parse(cidr.toString())).isEqualTo(cidr);
            assertThat(cidr.covers(cidr)).isTrue();
        } catch (ProblemException e) {
            assertThat(e.problem().detail()).isNotBlank();
        }
    }

    /// Nobody makes a token without the key.
    @FuzzTest
    void token(byte[] data) {
        assertThatThrownBy(() -> TOKENS.verify(text(data), Instant.EPOCH)).isInstanceOf(ProblemException.class);
    }

    @FuzzTest
    void keyFormat(byte[] data) {
        if (KeyFormat.isWellFormed(text(data))) {
            assertThat(KeyFormat.hint(Secret.of(text(data)))).doesNotContain(text(data));
        }
    }
}
