package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What holds secrets is not published by mistake.
class SecretsInFoldersTest extends CommandLineFixture {
    private void file(String path, String text) throws IOException {
        Path file = folder.resolve("kit").resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String kit() {
        return folder.resolve("kit").toString();
    }

    private static final String TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

    @Test
    void initLeavesOutWhatHoldsSecrets() throws IOException {
        file("notes.txt", "Hello");
        file(".env", "A=1");
        file(".env.local", "A=1");
        file(".env.example", "A=");

        var made = run("init", "acme/kit", kit());

        assertThat(made.err()).contains("left out by default: .env, .env.local");
        assertThat(folder.resolve("kit/sheaf.yaml"))
                .content()
                .contains("# Found: 2 other.", "# assets: [\"/.env.example\", \"/notes.txt\"]")
                .doesNotContain("/.env\"", ".env.local");
    }

    @Test
    void lintAndTheDryRunNameSecrets() throws IOException {
        file("sheaf.yaml", "namespace: acme\nslug: kit\nversion: 1.0.0\n");
        file("config/a.txt", "x\n" + TOKEN + "\n");
        String found = "this looks like a GitHub personal access token (ghp_a1B2…)";

        var linted = run("lint", kit());
        var allowed = run("lint", kit(), "--allow-secrets");

        assertThat(linted.status()).isEqualTo(2);
        assertThat(linted.out()).contains("config/a.txt:2: error: " + found).doesNotContain(TOKEN);
        assertThat(allowed.status()).isZero();
        assertThat(allowed.out()).contains("config/a.txt:2: warning: " + found);
        assertThat(allowed.err()).isEqualTo("acme/kit:1.0.0: 1 file, 1 warning\n");

        answer("/v1/me", 200, """
                {"credentialType": "api_key", "credentialName": "ci", "scopes": ["write"]}""");
        var planned = run("push", kit(), "--dry-run");
        assertThat(planned.status()).isEqualTo(2);
        assertThat(planned.err()).containsOnlyOnce("sheaf: config/a.txt:2: this looks like a GitHub personal");
        assertThat(run("push", kit(), "--dry-run", "--json").out())
                .contains("\"code\" : \"probable-secret\"", "config/a.txt:2: this");
        var permitted = run("push", kit(), "acme/kit:1.0.0", "--dry-run", "--allow-secrets");
        assertThat(permitted.status()).isZero();
        assertThat(permitted.err()).contains("note: config/a.txt:2: this looks like");
    }

    @Test
    void lintNamesSecretsWhereTheDescriptionIsMissingOrWrong() throws IOException {
        file("config/a.txt", "x\n" + TOKEN + "\n");
        String found = "config/a.txt:2: error: this looks like a GitHub personal access token (ghp_a1B2…)";
        assertThat(run("lint", kit()).out()).contains("sheaf.yaml: info: missing", found);

        file("sheaf.yaml", "namespace: acme\nslug: kit\nversion: one\n");

        assertThat(run("lint", kit()).out()).contains("sheaf.yaml:3: error:", found);
    }

    @Test
    void aSecretStopsThePushUnlessItIsAllowed() throws IOException {
        file("a.txt", TOKEN);

        var stopped = run("push", kit(), "acme/kit:1.0.0");
        var pushed = run("push", kit(), "acme/kit:1.0.0", "--allow-secrets");

        assertThat(stopped.status()).isEqualTo(2);
        assertThat(stopped.err())
                .contains(
                        "sheaf: nothing was sent, because a line looks like a secret\n  - a.txt:1: this looks like",
                        "if it is not a secret: sheaf push " + kit() + " acme/kit:1.0.0 --allow-secrets")
                .doesNotContain(TOKEN);
        assertThat(pushed.status()).isZero();
    }
}
