package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestTest {
    private static final String SHA256_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    private static final String SHA512_OF_ABC = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";

    /// The example of FIPS 180-4.
    @Test
    void hashesBytes() {
        byte[] abc = "abc".getBytes(StandardCharsets.US_ASCII);

        assertThat(Digest.sha256(abc)).hasToString("sha256:" + SHA256_OF_ABC);
        assertThat(Digest.of(Digest.Algorithm.SHA512, abc)).hasToString("sha512:" + SHA512_OF_ABC);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sha256:" + SHA256_OF_ABC, "sha512:" + SHA512_OF_ABC})
    void readsBothAlgorithms(String text) {
        assertThat(Digest.parse(text)).hasToString(text);
    }

    @Test
    void isTheBareHexOfAField() {
        assertThat(Digest.ofSha256Hex(SHA256_OF_ABC)).isEqualTo(Digest.parse("sha256:" + SHA256_OF_ABC));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                SHA256_OF_ABC,
                "sha256:",
                "sha256:" + SHA512_OF_ABC,
                "sha512:" + SHA256_OF_ABC,
                "SHA256:" + SHA256_OF_ABC,
                "sha256:BA7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "sha256:../../../../../../../../../../../../../../../../../../../etc/pass",
                "sha256:" + SHA256_OF_ABC + " ",
                "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "sha256:٠a7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            })
    void cannotBeMalformed(String text) {
        assertThat(refusal(() -> Digest.parse(text)).code()).isEqualTo("format");
    }
}
