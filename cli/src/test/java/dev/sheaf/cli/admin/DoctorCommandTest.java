package dev.sheaf.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.CommandLineFixture;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is said of the surroundings, and the completion scripts.
@Tag("programs")
class DoctorCommandTest extends CommandLineFixture {
    private void ready() {
        registry.replace("/health/ready", exchange -> TinyRegistry.send(exchange, 200, new byte[0]));
    }

    @Test
    void allIsWellAndTheKeyThatWinsIsNamed() {
        ready();
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        registry.replace(
                "/v1/me", exchange -> TinyRegistry.send(exchange, 200, "{\"serverVersion\": \"9.8.7\"}".getBytes()));

        var ran = run("doctor");

        assertThat(ran.status()).isZero();
        assertThat(ran.out().lines().map(line -> line.replaceAll(" +", " ")))
                .hasSize(19)
                .anyMatch(line -> line.matches("versions ok sheaf .*, Java 25.*, the registry 9\\.8\\.7"))
                .anyMatch(line -> line.matches("connection ok http://127.0.0.1:\\d+ answered in \\d+ ms"))
                .contains("clock ok agrees with the registry's clock", "credential ok from SHEAF_API_KEY")
                .contains(
                        "identity ok laptop of Acme",
                        "proxy ok none: the registry is reached directly",
                        "credential-variable ok SHEAF_API_KEY: in use",
                        "credential-file ok the file: no credential",
                        "docker ok docker is not configured")
                .anyMatch(line -> line.startsWith("keyring warning there is no session bus"));
        assertThat(ran.out()).doesNotContain(TinyRegistry.KEY);
    }

    @Test
    void itSaysWhetherThereIsACatalogAndWhyNot() {
        ready();
        registry.replace(
                "/.well-known/ai-catalog.json",
                exchange -> TinyRegistry.send(exchange, 404, """
                {"type": "about:blank", "title": "Not found", "status": 404, "code": "not-found",
                 "detail": "the AI Catalog of this registry (its operator has not switched it on) does not exist"}""".getBytes(StandardCharsets.UTF_8)));
        assertThat(run("doctor").out())
                .containsPattern(
                        "ai-catalog +ok +off: the AI Catalog of this registry \\(its operator has not switched it on\\)");

        registry.replace(
                "/.well-known/ai-catalog.json",
                exchange -> TinyRegistry.send(exchange, 200, "{}".getBytes(StandardCharsets.UTF_8)));

        assertThat(run("doctor").out())
                .containsPattern("ai-catalog +ok +on, at " + registry.url() + "/.well-known/ai-catalog.json");
    }

    @Test
    void withoutAKeyItSaysHowToLogIn() {
        ready();

        var ran = run("doctor", "--json");

        assertThat(ran.status()).isZero();
        assertThat(ran.out())
                .contains(
                        "\"check\" : \"credential\",\n  \"state\" : \"warning\"",
                        "\"next\" : \"to log in: sheaf login --url " + registry.url());
    }

    @Test
    void aRegistryThatIsAwayFailsAndNothingElseDoes() {
        environment.put("SHEAF_URL", registry.url().toString());
        registry.close();

        var ran = run("doctor", "--format", "quiet");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.out()).isEqualTo("connection\n");
    }

    @Test
    void aFileThatOthersCanReadIsNotUsed() throws IOException {
        ready();
        Path file = folder.resolve("home/.local/share/sheaf/credentials/"
                + registry.url().toString().replace("http://", "").replace(':', '_') + "/api-key");
        Files.createDirectories(file.getParent());
        Files.writeString(file, TinyRegistry.KEY);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        var ran = run("doctor");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.out()).contains("chmod 600 " + file).doesNotContain(TinyRegistry.KEY);
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        assertThat(run("doctor").status())
                .as("where a place before it has a key")
                .isZero();
    }

    @Test
    void whatLosesIsSaidToLose() throws IOException {
        ready();
        assertThat(runWith(TinyRegistry.KEY, "login", "--key-stdin").status()).isZero();
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        Path docker = Files.createDirectory(folder.resolve("docker"));
        Files.writeString(docker.resolve("config.json"), "no json");
        environment.put("DOCKER_CONFIG", docker.toString());

        var ran = run("doctor");

        assertThat(ran.status()).isZero();
        assertThat(ran.out()).contains("the file: not used: SHEAF_API_KEY takes precedence", "is not a JSON object");
        assertThat(ran.err()).contains("docker: docker login creates a new one");
    }

    @Test
    void eachThingThatIsBrokenFailsByItself() throws IOException {
        ready();
        registry.requireKey();
        environment.put("SHEAF_API_KEY", "shf_unknown");
        assertThat(run("doctor", "--format", "quiet").out()).isEqualTo("identity\n");
        assertThat(run("doctor").err()).contains("identity: the registry does not accept this key; log in again");

        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        environment.put("SHEAF_CA_FILE", "/nowhere.pem");
        assertThat(run("doctor", "--format", "quiet").out()).isEqualTo("certificates\nconnection\nidentity\n");
        environment.remove("SHEAF_CA_FILE");

        registry.replace("/health/ready", exchange -> TinyRegistry.send(exchange, 503, new byte[0]));
        var busy = run("doctor", "--json");
        assertThat(busy.status()).isEqualTo(1);
        assertThat(busy.out()).contains("\"next\" : \"it is not ready, or not Sheaf");

        environment.put("SHEAF_URL", "http://registry.test");
        environment.put("http_proxy", "socks5://user:secret@proxy.test");
        var proxied = run("doctor");
        assertThat(proxied.status()).isEqualTo(1);
        assertThat(proxied.out()).contains("proxy", "failed", "http_proxy is not a usable proxy", "does not use https");
        assertThat(proxied.out() + proxied.err()).doesNotContain("secret@");
    }

    @Test
    void damageInTheCacheIsFound() throws IOException {
        ready();
        registry.content.publish("acme/kit:1.0.0", java.util.Map.of("a.txt", new byte[1000]));
        assertThat(run("pull", "acme/kit:1.0.0", "-o", folder.resolve("out").toString())
                        .status())
                .isZero();
        try (var files = Files.walk(folder.resolve("home/.cache/sheaf/blobs"))) {
            for (Path blob : files.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(blob);
                bytes[3]++;
                Files.write(blob, bytes);
            }
        }

        assertThat(run("doctor").out()).contains("2 were damaged and have been removed");
        assertThat(run("doctor").out()).contains("0 entries, 0 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completionKnowsCommandsAndOptions(String shell) {
        var script = run("completion", shell);

        assertThat(script.status()).isZero();
        assertThat(script.out()).contains("rollback", "min-age");
        assertThat(run("completion", "tcsh").status()).isEqualTo(2);
    }

    /// What fish offers for a line; its own words about the script would stand in it, too.
    private String offered(Path script, String line) throws IOException, InterruptedException {
        var fish = new ProcessBuilder("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]")
                .redirectErrorStream(true);
        fish.command().addAll(List.of(script.toString(), line));
        fish.environment().put("HOME", folder.toString());
        var process = fish.start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return words.lines().map(word -> word.replaceFirst("\t.*", "")).sorted().collect(Collectors.joining(" "));
    }

    @Test
    void fishOffersCommandsOptionsAndTheirValues() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Stream.of("/bin/fish", "/usr/bin/fish", "/usr/local/bin/fish")
                        .anyMatch(path -> Files.isExecutable(Path.of(path))),
                "there is no fish here");
        Path script = Files.writeString(
                folder.resolve("sheaf.fish"), run("completion", "fish").out());

        assertThat(offered(script, "sheaf ta")).isEqualTo("tags");
        assertThat(offered(script, "sheaf tags r")).isEqualTo("rm rollback");
        assertThat(offered(script, "sheaf tags set acme/kit stable 1.0.0 --no")).isEqualTo("--no-protect");
        assertThat(offered(script, "sheaf pull --min-age 3d --fo")).isEqualTo("--force --format");
        assertThat(offered(script, "sheaf search --sort ")).isEqualTo("downloads recent relevance stars trending");
        assertThat(offered(script, "sheaf completion ")).isEqualTo("bash fish man zsh");
    }

    @Test
    void bashTakesTheScript() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash here");
        Path script = Files.writeString(
                folder.resolve("sheaf.bash"), run("completion", "bash").out());

        var bash = new ProcessBuilder("/bin/bash", "-c", "source '" + script + "'; complete -p sheaf")
                .redirectErrorStream(true)
                .start();

        assertThat(new String(bash.getInputStream().readAllBytes())).contains("sheaf");
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).isZero();
    }
}
