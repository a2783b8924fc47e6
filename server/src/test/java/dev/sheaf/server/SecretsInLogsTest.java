package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that logs everything it can is given secrets in every place where somebody could put one.
class SecretsInLogsTest {
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    @Test
    void noSecretReachesTheLog() throws Exception {
        Path data = folder.resolve("data");
        var secrets = new ArrayList<String>();
        List<String> log;
        ServerProcess.start(data).close(); // the first start shows the first key, as it should
        try (var server = ServerProcess.start(data, List.of(), List.of("--log-level", "trace"))) {
            String admin = server.adminKey().expose();
            secrets.add(admin);
            secrets.add(Files.readString(data.resolve("secrets").resolve("master-key"))
                    .strip());
            secrets.addAll(use(server, admin));
            log = server.stop();
        }
        assertThat(log).anyMatch(line -> line.contains("/v2/token")); // it does log requests
        for (String secret : secrets) {
            assertThat(log).noneMatch(line -> line.contains(secret));
        }
    }

    /// The secrets that came up.
    private List<String> use(ServerProcess server, String admin) throws Exception {
        var created = send(server, "POST", "/v1/organizations/default/api-keys", "Bearer " + admin, """
                {"name": "one more", "scopes": ["write"]}""");
        String key = created.json().get("key").stringValue();
        String basic = Base64.getEncoder().encodeToString(("user:" + key).getBytes(StandardCharsets.UTF_8));
        String token = send(server, "GET", "/v2/token?scope=repository:a/b:pull,push", "Basic " + basic, null)
                .json()
                .get("token")
                .stringValue();
        String wrong = key.substring(0, key.length() - 1) + (key.endsWith("0") ? "1" : "0");
        for (String authorization : List.of("Bearer " + wrong, "Bearer " + token + "x", "Basic " + basic + "=", key)) {
            send(server, "GET", "/v2/", authorization, null);
            send(server, "POST", "/v1/namespaces/acme/bundles/kit:push", authorization, "{\"version\":");
        }
        send(server, "POST", "/v2/token", null, "grant_type=password&username=u&password=" + key + "&scope=%zz");
        send(server, "POST", "/v2/token", null, "grant_type=" + key + "&password=" + key);
        send(server, "POST", "/v2/a/b/blobs/uploads/", "Bearer " + token, null);
        send(server, "POST", "/v1/organizations/default/api-keys", "Bearer " + key, "{\"name\": \"" + key + "\"}");
        send(
                server,
                "PATCH",
                "/v1/organizations/default/api-keys/" + created.json().get("id").stringValue(),
                "Bearer " + admin,
                "{");
        String keys =
                "/v1/organizations/default/api-keys/" + created.json().get("id").stringValue();
        String rotated = send(server, "POST", keys + ":rotate", "Bearer " + admin, "{\"overlap\": \"PT1H\"}")
                .json()
                .get("key")
                .stringValue();
        send(
                server,
                "POST",
                "/v1/leaked-credentials",
                null,
                "{\"credentials\": [\"" + rotated + "\", \"" + token + "\"]}");
        send(server, "POST", "/v1/leaked-credentials", null, "{\"credentials\": \"" + wrong + "\"}");
        return List.of(key, basic, token, wrong, rotated);
    }

    private Reply send(
            ServerProcess server, String method, String path, @Nullable String authorization, @Nullable String body)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header(
                        "Content-Type",
                        path.equals("/v2/token") ? "application/x-www-form-urlencoded" : "application/json");
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return new Reply(client.send(request.build(), BodyHandlers.ofByteArray()));
    }
}
