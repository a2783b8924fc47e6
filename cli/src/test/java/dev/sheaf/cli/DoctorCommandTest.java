package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.TinyRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is said of the surroundings, and the completion scripts.
class DoctorCommandTest extends CommandLineFixture {
    private void ready() {
        registry.replace("/health/ready", exchange -> TinyRegistry.send(exchange, 200, new byte[0]));
    }

    @Test
    void allIsWellAndTheKeyThatWinsIsNamed() {
        ready();
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);

        var ran = run("doctor");

        assertThat(ran.status()).isZero();
        assertThat(ran.out().lines().map(line -> line.replaceAll(" +", " ")))
                .hasSize(9)
                .anyMatch(line -> line.startsWith("versions ok sheaf "))
                .anyMatch(line -> line.matches("connection ok http://127.0.0.1:\\d+ answered in \\d+ ms"))
                .contains("clock ok agrees with the registry's", "credential ok from SHEAF_API_KEY")
                .contains("identity ok laptop of Acme");
        assertThat(ran.out()).doesNotContain(TinyRegistry.KEY);
    }

    @Test
    void withoutAKeyItSaysHowToLogIn() {
        ready();

        var ran = run("doctor", "--json");

        assertThat(ran.status()).isZero();
        assertThat(ran.out())
                .contains(
                        "\"check\" : \"credential\",\n  \"state\" : \"warning\"",
                        "sheaf login --url " + registry.url());
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
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completionKnowsCommandsAndOptions(String shell) {
        var script = run("completion", shell);

        assertThat(script.status()).isZero();
        assertThat(script.out()).contains("rollback", "min-age");
        assertThat(run("completion", "tcsh").status()).isEqualTo(2);
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
        assertThat(bash.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).isZero();
    }
}
