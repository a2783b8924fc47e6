package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sheaf.server.identity.api.oauth.TrustedPublishingScenario;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `sheaf push` in the run of a trusted workflow needs no key.
class WorkflowPushTest {
    private TestApp app;
    private Recorder recorder;
    private Path folder;

    @BeforeEach
    void start(@TempDir Path own) throws IOException {
        folder = own;
        app = TestApp.start(
                own.resolve("data"),
                Map.of(
                        "public-url",
                        TrustedPublishingScenario.SITE,
                        "trusted-issuers",
                        TrustedPublishingScenario.issuer("github")));
        Files.createDirectories(own.resolve("kit"));
        Files.writeString(own.resolve("kit/a.txt"), "x");
        recorder = new Recorder(own.resolve("home"), app.url());
        recorder.environment().put("SHEAF_API_KEY", app.admin());
        var trusted = recorder.run(
                "",
                false,
                "publishers",
                "add",
                "--github",
                "acme/notes",
                "--issuer",
                TrustedPublishingScenario.issuer("github"),
                "--workflow",
                "release.yml",
                "--bundle",
                "acme/notes");
        assertThat(trusted.status()).as(trusted.seen()).isZero();
        recorder.environment().remove("SHEAF_API_KEY");
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private static String idToken(String repository) {
        return TrustedPublishingScenario.idToken("github", TrustedPublishingScenario.github(repository));
    }

    private Recorder.Ran run(String... arguments) {
        return recorder.run("", false, arguments);
    }

    private Recorder.Ran push(String version, String... options) {
        var line = new ArrayList<>(List.of("push", folder.resolve("kit").toString(), "acme/notes:" + version));
        line.addAll(List.of(options));
        return run(line.toArray(String[]::new));
    }

    @Test
    void byTheTokenInTheEnvironmentAsGitLabSetsIt() {
        String token = idToken("acme/notes");
        recorder.environment().put("SHEAF_ID_TOKEN", token);

        var pushed = push("1.0.0", "--public");
        var again = push("1.1.0");

        assertThat(pushed.status()).as(pushed.seen()).isZero();
        assertThat(again.status()).isEqualTo(4);
        assertThat(again.seen())
                .contains("the registry does not accept the id_token of this workflow: ")
                .doesNotContain(token);
    }

    @Test
    void byAFileAsKubernetesKeepsIt() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), idToken("acme/notes") + "\n");
        recorder.environment().put("SHEAF_ID_TOKEN_FILE", file.toString());
        recorder.environment().put("SHEAF_ORGANIZATION", "default");

        var pushed = push("1.0.0");

        assertThat(pushed.status()).as(pushed.seen()).isZero();
    }

    /// Which is asked for a token for this registry alone.
    @Test
    void byAskingGitHub() throws IOException {
        var asked = new ArrayList<String>();
        var github = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        github.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getQuery() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] answer = ("{\"value\": \"" + idToken("acme/notes") + "\"}").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        github.start();
        try {
            recorder.environment()
                    .put(
                            "ACTIONS_ID_TOKEN_REQUEST_URL",
                            "http://127.0.0.1:" + github.getAddress().getPort() + "/token?api-version=2");
            recorder.environment().put("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "run-token");

            assertThat(push("1.0.0", "--dry-run").status()).isZero();
            assertThat(push("1.0.0").status()).isZero();
        } finally {
            github.stop(0);
        }

        assertThat(asked)
                .containsOnly("api-version=2&audience=" + app.host() + " Bearer run-token")
                .hasSize(2);
    }

    @Test
    void aWorkflowThatIsNotTrustedIsToldWhyAndWhatToDo() {
        recorder.environment().put("SHEAF_ID_TOKEN", idToken("acme/other"));

        var refused = push("1.0.0");

        assertThat(refused.status()).isEqualTo(4);
        assertThat(refused.seen())
                .contains(
                        "no publisher has its issuer and the claim repository or project_path 'acme/other'",
                        "to trust this workflow: sheaf publishers add --github OWNER/REPOSITORY --bundle acme/notes");
    }

    @Test
    void aJobWithoutThePermissionIsToldWhichItNeeds() {
        recorder.environment().put("GITHUB_ACTIONS", "true");

        assertThat(push("1.0.0").seen()).contains("this job has no id_token", "id-token: write");
    }

    /// What is public needs nobody's word, and a token buys once.
    @Test
    void whoOnlyReadsSpendsNoToken() {
        recorder.environment().put("SHEAF_API_KEY", app.admin());
        assertThat(push("1.0.0", "--public").status()).isZero();
        recorder.environment().remove("SHEAF_API_KEY");
        recorder.environment().put("SHEAF_ID_TOKEN", idToken("acme/notes"));

        assertThat(run("resolve", "acme/notes").status()).isZero();
        assertThat(push("1.1.0").status()).isZero();
    }
}
