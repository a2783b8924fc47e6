package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.credentials.Credentials;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checks that the example in the package documentation works and is the code of this test.
class ExampleTest {
    @TempDir
    Path folder;

    @SuppressWarnings("SystemOut") // as a reader would try it
    private static void example(String address, Path folder, Path cache) {
        var url = RegistryUrl.parse(address);
        try (var registry = SheafClient.of(url)
                .credentials(Credentials.ofThisUser(url))
                .cache(cache)
                .open()) {
            var pulled = registry.pull(Reference.parse("acme/java-kit:1.0.0"), folder);
            System.out.println(pulled.manifestDigest() + ", " + pulled.sizeBytes() + " bytes");
        } catch (SheafException.NotFound e) {
            System.out.println("no such bundle, or not for this key: " + e.getMessage());
        } catch (SheafException.RateLimited e) {
            System.out.println("again in " + e.waitTime().toSeconds() + " s");
        }
    }

    @Test
    void itRuns() {
        try (var registry = TinyRegistry.start()) {
            registry.content.publish("acme/java-kit:1.0.0", Map.of("a.txt", new byte[10]));

            example(registry.url().toString(), folder.resolve("kit"), folder.resolve("cache"));

            assertThat(folder.resolve("kit/a.txt")).hasSize(10);
        }
    }

    @Test
    void itIsTheOneThatIsPrinted() throws IOException {
        var printed = Files.readAllLines(Path.of("src/main/java/dev/sheaf/client/package-info.java")).stream()
                .dropWhile(line -> !line.equals("/// ```java"))
                .skip(1)
                .takeWhile(line -> !line.equals("/// ```"))
                .map(line -> line.substring("/// ".length()))
                .toList();
        String own = String.join(
                "\n",
                Files.readAllLines(Path.of("src/test/java/dev/sheaf/client/ExampleTest.java")).stream()
                        .map(line -> line.replaceFirst("^ {8}", ""))
                        .toList());

        assertThat(printed).hasSizeGreaterThan(5);
        assertThat(own).contains(String.join("\n", printed));
        assertThat(List.of(own.split("\n"))).containsAll(printed);
    }
}
