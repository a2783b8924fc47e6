package dev.sheaf.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.engine.net.Cidr;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.time.InstantSource;

/// What is read of callers, on any bytes.
class ParsersFuzz {
    private static final AccessTokens TOKENS = new AccessTokens(keys());

    private static SigningKeys keys() {
        try {
            var file = Files.createTempDirectory("sheaf-fuzz").resolve("sheaf.db");
            return new SigningKeys(
                    Databases.sqlite(file, InstantSource.fixed(Instant.EPOCH)),
                    MasterSecret.parse(MasterSecret.generate()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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
