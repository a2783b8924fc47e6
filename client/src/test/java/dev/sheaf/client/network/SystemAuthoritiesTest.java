package dev.sheaf.client.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemAuthoritiesTest {
    @TempDir
    private Path folder;

    @Test
    void theFirstFileThatExistsIsRead() throws Exception {
        var certificate = TestCertificate.make(folder, "dns:one.test");
        Path all = Files.writeString(
                folder.resolve("all.pem"),
                "# ours\n" + Files.readString(certificate.pem()) + Files.readString(certificate.pem()));
        var places = List.of(folder.resolve("missing"), folder, all, certificate.pem());

        assertThat(SystemAuthorities.of(Map.of(), places, "Linux").read()).hasSize(2);
        assertThat(SystemAuthorities.of(
                                Map.of("SSL_CERT_FILE", certificate.pem().toString()), places, "Linux")
                        .read())
                .hasSize(1);
        assertThat(SystemAuthorities.of(Map.of("SSL_CERT_FILE", " "), places, "Linux")
                        .read())
                .hasSize(2);
    }

    /// Stores that this JDK lacks here are none; only macOS and Windows have them.
    @Test
    void otherSystemsHaveStoresAndNoFiles() throws Exception {
        var certificate = TestCertificate.make(folder, "dns:one.test");
        var places = List.of(certificate.pem());
        boolean linux = System.getProperty("os.name").equals("Linux");

        for (String system : List.of("Mac OS X", "Windows 11")) {
            var found = SystemAuthorities.of(Map.of(), places, system).read();
            if (linux) {
                assertThat(found).isEmpty();
            }
        }
    }

    @Test
    void aFileOfSomethingElseIsNone() throws Exception {
        Path words = Files.writeString(folder.resolve("words"), "-----BEGIN CERTIFICATE-----\nAAAA\n");

        assertThat(SystemAuthorities.of(Map.of(), List.of(words), "Linux").read())
                .isEmpty();
    }
}
