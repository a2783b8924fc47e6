package dev.sheaf.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Gen;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Secret;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFormatTest {
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    /// CRC-32 of `shf_` and thirty zeros is 0xCEAEACBC, in base62 `3mfVC0`; computed with Python's zlib.
    private static final String KNOWN = "shf_0000000000000000000000000000003mfVC0";

    @Test
    void knowsTheChecksumOfTheContract() {
        assertThat(KeyFormat.isWellFormed(KNOWN)).isTrue();
    }

    @Test
    void generatesWellFormedSecretsThatDiffer() {
        Set<String> seen = new HashSet<>();

        for (int i = 0; i < 500; i++) {
            String key = KeyFormat.generate().expose();
            assertThat(key).matches("shf_[0-9A-Za-z]{36}");
            assertThat(KeyFormat.isWellFormed(key)).isTrue();
            seen.add(key);
        }

        assertThat(seen).hasSize(500);
    }

    @Test
    void refusesEveryChangeOfOneCharacter() {
        Gen.forAll(200, gen -> {
            String key = KeyFormat.generate().expose();
            for (int i = 0; i < key.length(); i++) {
                char other = BASE62.charAt(gen.number(0, 61));
                if (other != key.charAt(i)) {
                    String changed = key.substring(0, i) + other + key.substring(i + 1);
                    assertThat(KeyFormat.isWellFormed(changed)).as(changed).isFalse();
                }
            }
        });
    }

    @Test
    void refusesTwoCharactersThatChangedPlaces() {
        Gen.forAll(500, gen -> {
            String key = KeyFormat.generate().expose();
            int i = gen.number(4, key.length() - 2);
            if (key.charAt(i) != key.charAt(i + 1)) {
                String swapped = key.substring(0, i) + key.charAt(i + 1) + key.charAt(i) + key.substring(i + 2);
                assertThat(KeyFormat.isWellFormed(swapped)).as(swapped).isFalse();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shf_", "shf_000000", "sk_0000000000000000000000000000000000000"})
    void refusesOtherShapes(String text) {
        assertThat(KeyFormat.isWellFormed(text)).isFalse();
    }

    @Test
    void refusesWhatIsTooLongOrTooShortOrNotAscii() {
        assertThat(KeyFormat.isWellFormed(KNOWN + "0")).isFalse();
        assertThat(KeyFormat.isWellFormed(KNOWN.substring(0, KNOWN.length() - 1)))
                .isFalse();
        assertThat(KeyFormat.isWellFormed(" " + KNOWN)).isFalse();
        assertThat(KeyFormat.isWellFormed(KNOWN.replaceFirst("0", "٠"))).isFalse();
    }

    @Test
    void hintsAtTheLastFourCharactersOnly() {
        String key = KeyFormat.generate().expose();

        assertThat(KeyFormat.hint(Secret.of(key))).isEqualTo("shf_…" + key.substring(36));
    }
}
