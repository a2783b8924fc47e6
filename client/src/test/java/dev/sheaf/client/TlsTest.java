package dev.sheaf.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.testing.TestCertificate;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Registries with unknown certificates. No key is sent before the certificate is trusted.
@SuppressWarnings("NullAway.Init") // set by JUnit
class TlsTest {
    @TempDir
    static Path certificates;

    private static TestCertificate certificate;
    private static TestCertificate other;

    @TempDir
    Path folder;

    private final List<Duration> waits = new ArrayList<>();

    @BeforeAll
    static void make() throws IOException, GeneralSecurityException {
        certificate = TestCertificate.make(certificates, "ip:127.0.0.1");
        other = TestCertificate.make(certificates, "dns:other.test");
    }

    private String ask(RegistryUrl url, Map<String, String> environment, @Nullable Path authorities) {
        try (var client = SheafClient.of(url)
                .cache(folder.resolve("cache"))
                .network(NetworkSettings.of(environment, authorities))
                .key(Secret.of(TinyRegistry.KEY))
                .pause(waits::add)
                .open()) {
            return client.whoAmI().credentialName();
        }
    }

    private void assertRefused(TestCertificate certificate, String host, @Nullable Path authorities, String... said)
            throws Exception {
        try (var registry = TinyRegistry.start(host, certificate.server())) {
            assertThatThrownBy(() -> ask(registry.url(), Map.of(), authorities))
                    .isInstanceOf(SheafException.Network.class)
                    .hasMessageContaining(registry.url().toString())
                    .hasMessageContainingAll(said);
            assertThat(registry.requests("")).isEmpty();
            assertThat(waits).isEmpty();
        }
    }

    @Test
    void aCertificateThatIsNotTrustedNamesTheSetting() throws Exception {
        assertRefused(certificate, "127.0.0.1", null, "not trusted", "SHEAF_CA_FILE");
    }

    @Test
    void aFileOfAuthoritiesIsTrustedAsWell() throws Exception {
        Path bundle = Files.writeString(
                folder.resolve("bundle.pem"),
                "# ours\n" + Files.readString(certificate.pem()) + Files.readString(other.pem()));
        try (var registry = TinyRegistry.start("127.0.0.1", certificate.server())) {
            registry.requireKey();

            assertThat(ask(registry.url(), Map.of("SHEAF_CA_FILE", bundle.toString()), null))
                    .isEqualTo("laptop");
            assertThat(ask(registry.url(), Map.of("SHEAF_CA_FILE", "/nowhere"), bundle))
                    .isEqualTo("laptop");
        }
    }

    @Test
    void anAuthorityOfTheSystemVouchesForIt() throws Exception {
        var signed = TestCertificate.signed(folder, "ip:127.0.0.1", "-2d", 9);
        Path file = Files.writeString(
                folder.resolve("system.pem"), Files.readString(other.pem()) + Files.readString(signed.pem()));
        var environment = Map.of("SSL_CERT_FILE", file.toString());
        try (var registry = TinyRegistry.start("127.0.0.1", signed.server())) {
            assertThat(ask(registry.url(), environment, null)).isEqualTo("laptop");
            assertThat(ask(registry.url(), environment, other.pem())).isEqualTo("laptop");
        }
    }

    /// What the authorities of the system say of a certificate is told, not that Java's do not know it.
    @Test
    void theSystemVouchesForNoOtherHostAndNoOldCertificate() throws Exception {
        var environment = Map.of("SSL_CERT_FILE", other.pem().toString());
        var old = TestCertificate.signed(folder, "ip:127.0.0.1", "-3d", 1);
        var ofOld = Map.of("SSL_CERT_FILE", old.pem().toString());
        try (var registry = TinyRegistry.start("127.0.0.1", other.server());
                var expired = TinyRegistry.start("127.0.0.1", old.server())) {
            assertThatThrownBy(() -> ask(registry.url(), environment, null)).hasMessageContaining("for another host");
            assertThatThrownBy(() -> ask(expired.url(), ofOld, null)).hasMessageContaining("has expired");
            assertThat(registry.requests("")).isEmpty();
            assertThat(expired.requests("")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/nowhere/ca.pem", "/"})
    void aFileOfTheSystemThatIsNoneVouchesForNobody(String file) throws Exception {
        try (var registry = TinyRegistry.start("127.0.0.1", certificate.server())) {
            assertThatThrownBy(() -> ask(registry.url(), Map.of("SSL_CERT_FILE", file), null))
                    .isInstanceOf(SheafException.Network.class)
                    .hasMessageContaining("not trusted");
        }
    }

    @Test
    void aCertificateForAnotherHostIsNoUse() throws Exception {
        assertRefused(other, "127.0.0.1", other.pem(), "for another host");
    }

    @Test
    void anAuthorityVouchesForIt() throws Exception {
        var signed = TestCertificate.signed(certificates, "ip:127.0.0.1", "-2d", 9);
        try (var registry = TinyRegistry.start("127.0.0.1", signed.server())) {
            assertThat(ask(registry.url(), Map.of(), signed.pem())).isEqualTo("laptop");
        }
    }

    @Test
    void anOldCertificateIsSaidToBeOne() throws Exception {
        var signed = TestCertificate.signed(certificates, "ip:127.0.0.1", "-3d", 1);

        assertRefused(signed, "127.0.0.1", signed.pem(), "has expired");
    }

    @Test
    void aCertificateOfTomorrowIsSaidToBeOne() throws Exception {
        var signed = TestCertificate.signed(certificates, "ip:127.0.0.1", "+1d", 9);

        assertRefused(signed, "127.0.0.1", signed.pem(), "not valid yet");
    }

    /// A TLS server then closes the connection, or answers bytes that are not HTTP.
    @Test
    void tlsIsRecognizedToo() throws Exception {
        try (var registry = TinyRegistry.start("127.0.0.1", certificate.server())) {
            var plain = RegistryUrl.parse("http://" + registry.url().authority());

            assertThatThrownBy(() -> ask(plain, Map.of(), null))
                    .isInstanceOf(SheafException.Network.class)
                    .hasMessage(plain + " uses TLS: write its address with https:// instead of http://");
            assertThat(waits).isEmpty();
            assertThat(registry.requests("")).isEmpty();
        }
    }

    @Test
    void plainHttpIsRecognized() throws Exception {
        try (var plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> answerPlainly(plain));
            var url = RegistryUrl.parse("https://127.0.0.1:" + plain.getLocalPort());

            assertThatThrownBy(() -> ask(url, Map.of(), null))
                    .isInstanceOf(SheafException.Network.class)
                    .hasMessageContaining("does not use TLS");
        }
    }

    /// Answers every connection: the client may try again.
    private static void answerPlainly(ServerSocket plain) {
        while (!plain.isClosed()) {
            try (var socket = plain.accept()) {
                socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // the client left, or the test is over
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "words\n", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"})
    void aFileWithoutCertificatesIsRefused(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("ca.pem"), text);

        assertThatThrownBy(() -> ask(RegistryUrl.DEFAULT, Map.of(), file))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContainingAll(file.toString(), "cannot be used");
    }

    /// Neither to the same host nor to another, and without the key.
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void aRedirectFromHttpsToHttpIsNotFollowed(String host) throws Exception {
        try (var secure = TinyRegistry.start("127.0.0.1", certificate.server());
                var plain = TinyRegistry.start();
                var client = SheafClient.of(secure.url())
                        .cache(folder.resolve("cache"))
                        .network(NetworkSettings.of(Map.of(), certificate.pem()))
                        .key(Secret.of(TinyRegistry.KEY))
                        .open()) {
            secure.content.publish("acme/kit:1.0.0", Map.of("a.txt", new byte[10]));
            secure.replace("/blobs/", exchange -> {
                exchange.getResponseHeaders()
                        .set("Location", "http://" + host + ":" + plain.url().port() + "/x");
                exchange.sendResponseHeaders(307, -1);
            });

            assertThatThrownBy(() -> client.pull(Reference.parse("acme/kit:1.0.0")))
                    .isInstanceOf(SheafException.Server.class)
                    .hasMessageContaining("neither https");

            assertThat(plain.requests("")).isEmpty();
        }
    }

    @Test
    void aFileOfAuthoritiesThatIsMissingIsNamed() {
        assertThatThrownBy(() -> ask(RegistryUrl.DEFAULT, Map.of("SHEAF_CA_FILE", "/nowhere/ca.pem"), null))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("/nowhere/ca.pem does not exist");
    }
}
