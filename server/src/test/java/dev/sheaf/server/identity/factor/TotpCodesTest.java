package dev.sheaf.server.identity.factor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RFC 6238, RFC 4648.
class TotpCodesTest {
    private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);

    /// RFC 6238, appendix B, the last six digits.
    @ParameterizedTest
    @CsvSource({
        "59, 287082",
        "1111111109, 081804",
        "1111111111, 050471",
        "1234567890, 005924",
        "2000000000, 279037",
        "20000000000, 353130"
    })
    void makesTheCodesOfTheStandard(long second, String code) {
        assertThat(TotpCodes.code(SEED, TotpCodes.step(Instant.ofEpochSecond(second))))
                .isEqualTo(code);
    }

    @Test
    void oneStepEachWayIsGoodAndNoneTwice() {
        var now = Instant.ofEpochSecond(1_234_567_890);
        long step = TotpCodes.step(now);

        for (int away = -3; away <= 3; away++) {
            var expected = Math.abs(away) <= 1 ? OptionalLong.of(step + away) : OptionalLong.empty();
            assertThat(TotpCodes.match(SEED, TotpCodes.code(SEED, step + away), now, 0))
                    .isEqualTo(expected);
        }
        assertThat(TotpCodes.match(SEED, TotpCodes.code(SEED, step), now, step)).isEmpty();
        assertThat(TotpCodes.match(SEED, TotpCodes.code(SEED, step - 1), now, step))
                .isEmpty();
        assertThat(TotpCodes.match(SEED, TotpCodes.code(SEED, step + 1), now, step))
                .hasValue(step + 1);
    }

    /// RFC 4648, section 10.
    @ParameterizedTest
    @CsvSource({
        "f, MY",
        "fo, MZXQ",
        "foo, MZXW6",
        "foob, MZXW6YQ",
        "fooba, MZXW6YTB",
        "foobar, MZXW6YTBOI",
        "12345678901234567890, GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    })
    void writesSeedsInBase32(String bytes, String text) {
        assertThat(TotpCodes.text(bytes.getBytes(StandardCharsets.US_ASCII))).isEqualTo(text);
    }
}
