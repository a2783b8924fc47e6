package dev.sheaf.server.auth.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sheaf.model.key.Secret;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterSecretTest {
    private static final String ZERO_TO_31 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    /// Computed with Python's hmac: were it to change, no stored key would work any more. CVE-2026-58426: labels
    /// are whole texts, and no two uses of the secret can come to the same one.
    @Test
    void derivesAnotherSecretForEveryLabelAndNoneThatAnApiKeyCouldBe() {
        var secret = MasterSecret.parse(MasterSecret.generate());
        var labels = List.of(
                "fingerprint/1",
                "api-key-pepper/1",
                "api-key-pepper/11",
                "api-key-pepper-check/1",
                "registry-token/a",
                "registry-token/ab",
                "registry-tokena/b");

        assertThat(labels.stream()
                        .map(label -> HexFormat.of().formatHex(secret.derive(label)))
                        .distinct())
                .hasSize(labels.size());
        for (String label : labels) {
            assertThat(Pepper.of(secret, 1).hash(Secret.of(label)))
                    .isNotEqualTo(HexFormat.of().formatHex(secret.derive(label)));
        }
    }

    @Test
    void derivesTheSameForEver() {
        var master = MasterSecret.parse(ZERO_TO_31);

        assertThat(Pepper.of(master, 1).hash(Secret.of("shf_x")))
                .isEqualTo("56947e8fa097c7e8888ac230e7d66863b2607c78a12bd9f589937bd71811d310");
        assertThat(HexFormat.of().formatHex(master.derive("registry-token/1")))
                .isEqualTo("07a9113a85094472ff59fbdcb5f4eb0686c41ac7b9868537913f2a9615632f8c");
    }

    @Test
    void generatesWhatItReads() {
        String text = MasterSecret.generate();

        assertThat(MasterSecret.parse(text + "\n").fingerprint())
                .isEqualTo(MasterSecret.parse(text).fingerprint());
        assertThat(MasterSecret.generate()).isNotEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "AAECAw==", "not base64 at all!", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gIQ=="})
    void refusesEverythingThatIsNot32BytesInBase64(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> MasterSecret.parse(text));
    }
}
