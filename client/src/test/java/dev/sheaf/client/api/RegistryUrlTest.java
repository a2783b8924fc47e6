package dev.sheaf.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.ProblemException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryUrlTest {
    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:8080, 127.0.0.1:8080, 127.0.0.1_8080",
        "HTTPS://Bundles.Example.com/, bundles.example.com, bundles.example.com",
        "http://bundles.example.com//, bundles.example.com:80, bundles.example.com_80",
        "http://bundles.example.com, bundles.example.com:80, bundles.example.com_80",
        "http://[::1]:9000, [::1]:9000, __1_9000",
        "https://bundles.example.com/v1/, bundles.example.com, bundles.example.com",
        "bundles.example.com, bundles.example.com, bundles.example.com",
        "bundles.example.com:8443/, bundles.example.com:8443, bundles.example.com_8443",
        "localhost:8080/v2, localhost:8080, localhost_8080",
        "127.0.0.1, 127.0.0.1:80, 127.0.0.1_80",
        "localhost.example.com, localhost.example.com, localhost.example.com",
    })
    void namesTheCredentialOfOneAddress(String text, String authority, String folder) {
        var url = RegistryUrl.parse(text);

        assertThat(url.authority()).isEqualTo(authority);
        assertThat(url.folderName()).isEqualTo(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/v1",
                "ftp://a",
                "http://",
                "http://u:p@a",
                "http://a/b",
                "http://a/v1/namespaces",
                "http://a?b",
                "http:// a"
            })
    void refusesWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> RegistryUrl.parse(text)).isInstanceOf(ProblemException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:99999", "https://a.example:0", "http://a:65536"})
    void refusesPortsThatThereAreNot(String text) {
        assertThatThrownBy(() -> RegistryUrl.parse(text))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("it must be 1 to 65535");
    }

    @Test
    void anotherSchemeHostOrPortIsAnotherOrigin() {
        var url = RegistryUrl.parse("https://a.example");

        assertThat(url.isOriginOf(URI.create("https://A.example:443/x"))).isTrue();
        assertThat(url.isOriginOf(URI.create("http://a.example:443/x"))).isFalse();
        assertThat(url.isOriginOf(URI.create("https://a.example:444/x"))).isFalse();
        assertThat(url.isOriginOf(URI.create("https://a.example.evil/x"))).isFalse();
        assertThat(url.isOriginOf(URI.create("/x"))).isFalse();
    }
}
