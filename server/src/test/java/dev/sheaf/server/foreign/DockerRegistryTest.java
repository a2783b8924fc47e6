package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.program.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import land.oras.Annotations;
import land.oras.ArtifactType;
import land.oras.Config;
import land.oras.ContainerRef;
import land.oras.LocalPath;
import land.oras.Registry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Our client at a registry that is not ours and has no `/v1`: docker-registry, as Debian has it.
@Tag("programs")
class DockerRegistryTest {
    /// `me` with the password `secret`, by bcrypt.
    private static final String HTPASSWD = "me:$2y$04$KBCwKxOzLha2MUDgW0PjXe/hE/UCO9qF89dOydoHjSwxcHev5LRn.\n";

    @TempDir
    private Path folder;

    private @Nullable Process process;
    private String host = "";

    @AfterEach
    void stop() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    private void start(String auth) throws IOException {
        Tool.installed("docker-registry", "docker-registry", folder.resolve("home"));
        host = "127.0.0.1:" + Ports.free();
        Path config =
                Files.writeString(folder.resolve("config.yml"), """
                version: 0.1
                storage: {filesystem: {rootdirectory: %s}}
                http: {addr: "%s"}
                %s
                """.formatted(folder.resolve("storage"), host, auth));
        process = new ProcessBuilder("docker-registry", "serve", config.toString())
                .redirectErrorStream(true)
                .start();
        var lines = new BufferedReader(process.inputReader());
        String line = lines.readLine();
        while (line != null && !line.contains("listening on")) {
            line = lines.readLine();
        }
        assertThat(line).as("docker-registry runs").isNotNull();
        Thread.ofVirtual().start(() -> lines.lines().forEach(said -> {})); // so that it never waits for a reader
    }

    private String push(Registry registry, Path file) {
        return registry.pushArtifact(
                        ContainerRef.parse(host + "/some/deep/artifact:v1"),
                        ArtifactType.from("application/vnd.example.thing"),
                        Annotations.empty(),
                        Config.empty(),
                        LocalPath.of(file, "application/octet-stream"))
                .getDescriptor()
                .getDigest();
    }

    private Path file() throws IOException {
        byte[] bytes = new byte[3 << 20];
        new Random(3).nextBytes(bytes);
        return Files.write(folder.resolve("data.bin"), bytes);
    }

    private Pulled pull(String rest, @Nullable String password) {
        var reference = OciReference.parse(host + "/some/deep/artifact" + rest, RegistryUrl.DEFAULT, false);
        var builder = SheafClient.of(reference.registry()).cache(folder.resolve("cache"));
        if (password != null) {
            builder.login("me", Secret.of(password));
        }
        try (var client = builder.open()) {
            return client.pull(reference, folder.resolve("out"), PullOptions.DEFAULT);
        }
    }

    @Test
    void pullsAPlainArtifactByTagAndByDigest() throws IOException {
        start("");
        Path file = file();
        String digest = push(Registry.builder().insecure().withRegistry(host).build(), file);

        var byTag = pull(":v1", null);
        var byDigest = pull("@" + digest, null);

        assertThat(folder.resolve("out/data.bin")).hasSameBinaryContentAs(file);
        assertThat(byTag.manifestDigest()).hasToString(digest);
        assertThat(byTag.fetchedBytes()).isEqualTo(3 << 20);
        assertThat(byDigest.fetchedBytes()).isZero();
        assertThatThrownBy(() -> pull(":v2", null)).isInstanceOf(SheafException.NotFound.class);
    }

    @Test
    void showsAPasswordThatItAsksFor() throws IOException {
        Path users = Files.writeString(folder.resolve("htpasswd"), HTPASSWD);
        start("auth: {htpasswd: {realm: x, path: %s}}".formatted(users));
        Path file = file();
        push(Registry.builder().insecure(host, "me", "secret").build(), file);

        assertThatThrownBy(() -> pull(":v1", null)).isInstanceOf(SheafException.Unauthenticated.class);
        assertThatThrownBy(() -> pull(":v1", "wrong")).isInstanceOf(SheafException.Unauthenticated.class);
        pull(":v1", "secret");

        assertThat(folder.resolve("out/data.bin")).hasSameBinaryContentAs(file);
    }
}
