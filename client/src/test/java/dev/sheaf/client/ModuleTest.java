package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TinyRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Modular programs can use the client as a module: everything necessary is exported, and JSON can be read. The
/// library
/// for the keyring is not among them.
class ModuleTest {
    @TempDir
    private Path folder;

    private static final String PROGRAM = """
            import dev.sheaf.client.SheafClient;
            import dev.sheaf.client.api.RegistryUrl;
            import dev.sheaf.client.credentials.Credentials;
            import dev.sheaf.client.lock.LockFile;
            import dev.sheaf.client.api.PullOptions;
            import dev.sheaf.model.Reference;

            void main(String[] arguments) {
                var kit = Reference.parse("acme/kit:1.0.0");
                try (var client = SheafClient.of(RegistryUrl.parse(arguments[0])).cache(Path.of(arguments[1])).open()) {
                    var pulled = client.pull(kit, Path.of(arguments[2]));
                    var lock = Path.of(arguments[1], "sheaf.lock");
                    LockFile.EMPTY.with(client.lock(kit, PullOptions.DEFAULT)).write(lock);
                    IO.println(pulled.assets().size() + " " + LockFile.read(lock).entries().size()
                            + " " + client.resolve(kit).version() + " " + SheafClient.class.getModule().getName());
                    IO.println(Credentials.ofThisUser(RegistryUrl.parse(arguments[0])).keychain().unavailable().orElse("there"));
                }
            }
            """;

    @Test
    void aProgramOnTheModulePathPulls() throws IOException, InterruptedException {
        try (var registry = TinyRegistry.start()) {
            registry.content.publish("acme/kit:1.0.0", Map.of("a.txt", new byte[10], "b.txt", new byte[20]));

            assertThat(run(registry.url().toString(), folder.resolve("cache"), folder.resolve("kit")))
                    .startsWith("2 1 1.0.0 dev.sheaf.client\n")
                    .endsWith("this program has no library for it (com.github.javakeyring:java-keyring)\n");
            assertThat(folder.resolve("kit/a.txt")).hasSize(10);
        }
    }

    private String run(String registry, Path cache, Path target) throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve("Program.java"), PROGRAM);
        var builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-p",
                        modulePath(),
                        "--add-modules",
                        "dev.sheaf.client",
                        source.toString(),
                        registry,
                        cache.toString(),
                        target.toString()))
                .redirectErrorStream(true);
        builder.environment().put("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + folder.resolve("bus"));
        var process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return printed;
    }

    /// Returns the class path without tests and their libraries.
    private static String modulePath() {
        var needed = List.of("jspecify", "jackson-", "snakeyaml-engine", "slf4j-api");
        return String.join(
                java.io.File.pathSeparator,
                java.util.Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                        .filter(entry -> {
                            String name = Path.of(entry).getFileName().toString();
                            boolean own = name.equals("classes") && Files.exists(Path.of(entry, "module-info.class"));
                            boolean jar = name.startsWith("sheaf-client-") || name.startsWith("sheaf-model-");
                            return own
                                    || jar && !name.endsWith("-tests.jar")
                                    || needed.stream().anyMatch(name::startsWith);
                        })
                        .toList());
    }
}
