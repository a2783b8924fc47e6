package dev.sheaf.server.secrets;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Kept;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// No secret stands in a row, or in an answer that did not make it (CVE-2025-48374; logs are another test's).
@EveryStack
class SecretsTest {
    @Parameter
    private Stack stack;

    @TempDir
    private Path folder;

    private static String basic(String password) {
        return "Basic " + Base64.getEncoder().encodeToString(("me:" + password).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void noSecretIsStoredOrShownAgain() throws Exception {
        var secrets = new ArrayList<String>();
        var answers = new ArrayList<String>();
        Path data = folder.resolve("data");
        var app = TestApp.start(stack, data);
        use(app, secrets, answers);
        assertThat(secrets).hasSize(7).allMatch(secret -> secret.length() > 30);
        try (var after = app.another(data)) {
            for (String secret : secrets) {
                assertThat(answers).noneMatch(text -> text.contains(secret));
                assertThat(Kept.tablesWith(after, secret)).isEmpty();
                assertThat(Kept.objectsWith(after, secret)).isEmpty();
                assertThat(filesWith(data, secret)).isEmpty();
            }
        }
    }

    /// Of SQLite, what was deleted too.
    private static List<Path> filesWith(Path data, String secret) throws IOException {
        var found = new ArrayList<Path>();
        try (var files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("bootstrap/admin-api-key")
                        && !file.endsWith("secrets/master-key")
                        && Files.readString(file, StandardCharsets.ISO_8859_1).contains(secret)) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    /// Makes secrets of every kind, and has them accepted and refused in every place.
    private static void use(TestApp app, List<String> secrets, List<String> answers) throws Exception {
        try (app) {
            var created = app.newKey("""
                    {"name": "known", "scopes": ["write"]}""");
            String key = requireNonNull(created.key());
            String token = app.get("/v2/token?scope=repository:secrets/kit:pull,push", key)
                    .json()
                    .get("token")
                    .stringValue();
            String rotated = rotate(app, created.id().toString(), answers);
            String unknown = KeyFormat.generate().expose();
            String mistyped = unknown.substring(0, 39) + (unknown.endsWith("A") ? "B" : "A");
            secrets.addAll(List.of(app.admin(), key, token, rotated, unknown, mistyped));
            secrets.add(app.master());
            app.push("secrets/kit", "1.0.0", "private", "# Kit");
            for (String secret : secrets) {
                sendEverywhere(app, secret, answers);
            }
            answers.add(
                    app.get("/v1/organizations/default/api-keys", app.admin()).text());
            app.send("DELETE", "/v1/organizations/default/api-keys/" + created.id(), app.admin(), null);
            for (String secret : List.of(key, token)) {
                answers.add(app.get("/v2/", secret).text());
            }
            answers.add(app.post("/v1/leaked-credentials", null, "{\"credentials\": [\"" + rotated + "\"]}")
                    .text()); // which is carried out before the node stops
        }
        answers.add(Config.load(Map.of("database-password", secrets.getFirst()), Map.of())
                .describe());
    }

    /// The secret of the successor, whose rotation is asked for twice under an idempotency key.
    private static String rotate(TestApp app, String id, List<String> answers) {
        String path = "/v1/organizations/default/api-keys/" + id + ":rotate";
        var first = app.send(app.request("POST", path, app.admin(), "{}").header("Idempotency-Key", "once"))
                .as(ApiKey.class);
        var again = app.send(app.request("POST", path, app.admin(), "{}").header("Idempotency-Key", "once"));
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        answers.add(again.text());
        return requireNonNull(first.key());
    }

    private static void sendEverywhere(TestApp app, String secret, List<String> answers) {
        for (String path : List.of("/v2/", "/v2/secrets/kit/tags/list", "/v2/none/none/tags/list", "/v1/x")) {
            answers.add(app.get(path, secret).text());
            for (String header : List.of(basic(secret), secret, "Digest " + secret)) {
                answers.add(app.send(app.request("GET", path, null, null).header("Authorization", header))
                        .text());
            }
        }
        String keys = "/v1/organizations/default/api-keys";
        for (String method : List.of("GET", "PATCH", "DELETE")) {
            answers.add(app.send(method, keys + "/" + UUID.randomUUID(), secret, "{\"scopes\": [\"x\"]}")
                    .text());
        }
        answers.add(app.get("/v1/me", secret).text());
        answers.add(app.post("/v1/leaked-credentials", null, "{\"credentials\": {\"" + secret + "\": 1}}")
                .text());
        answers.add(app.send("PATCH", "/v2/secrets/kit/blobs/uploads/x", secret, "{")
                .text());
        answers.add(app.send(app.request("POST", "/v2/token", null, "grant_type=password&password=x" + secret))
                .text());
    }
}
