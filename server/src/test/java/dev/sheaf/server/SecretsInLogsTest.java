package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.auth.MasterSecret;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.ServerProcess;
import java.io.IOException;
import java.net.ServerSocket;
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
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that logs everything it can is given secrets in every place where somebody could put one: none of them
/// is in its log, its files, a dump of its threads, or what it says of its settings.
class SecretsInLogsTest {
    private static final String OTHER = "another password for tests";
    private static final String DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
    private static final String MASTER = MasterSecret.generate();
    private static final String CLIENT = "a-secret-of-the-client";
    private static final String BUCKET = "a-secret-of-the-bucket";

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    /// What it is given outside of requests, with the issuer of the id_tokens that it is sent.
    private static Map<String, String> environment(String url) {
        return Map.of(
                "SHEAF_OIDC_ISSUER",
                TrustedPublishingScenario.issuer("people"),
                "SHEAF_OIDC_CLIENT_ID",
                "sheaf",
                "SHEAF_OIDC_CLIENT_SECRET",
                CLIENT,
                "SHEAF_PUBLIC_URL",
                url,
                "SHEAF_TRUSTED_ISSUERS",
                TrustedPublishingScenario.issuer("github"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"debug", "trace"})
    void noSecretReachesLogsDumpsOrFiles(String level) throws Exception {
        Path data = folder.resolve("data");
        String port = freePort();
        String url = "http://127.0.0.1:" + port; // which id_tokens name
        var secrets = new ArrayList<String>();
        List<String> log;
        String threads;
        ServerProcess.start(data).close(); // the first start shows the first key, as it should
        try (var server =
                ServerProcess.start(data, List.of(), List.of("--log-level", level, "--port", port), environment(url))) {
            String admin = server.adminKey().expose();
            secrets.addAll(List.of(admin, CLIENT, TestApp.PASSWORD, OTHER));
            secrets.add(Files.readString(data.resolve("secrets").resolve("master-key"))
                    .strip());
            secrets.addAll(use(server, admin));
            try (var requests = new Requests(url)) {
                secrets.addAll(usePeopleAndTokens(requests, admin, url));
            }
            threads = threadsOf(server);
            log = server.stop();
        }
        assertThat(log).anyMatch(line -> line.contains("/v2/token")); // it does log requests
        assertThat(threads).contains("timer-0");
        for (String secret : secrets) {
            assertThat(log).noneMatch(line -> line.contains(secret));
            assertThat(threads).doesNotContain(secret);
            assertNotStored(data, secret);
        }
    }

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return Integer.toString(socket.getLocalPort());
        }
    }

    /// Rows of any table, as they lie in the file: audit, events, remembered answers and all others.
    private static void assertNotStored(Path data, String secret) throws IOException {
        try (var files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("bootstrap/admin-api-key") && !file.endsWith("secrets/master-key")) {
                    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                            .as("%s", file)
                            .doesNotContain(secret);
                }
            }
        }
    }

    private static String threadsOf(ServerProcess server) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var dump = new ProcessBuilder(jcmd, Long.toString(server.pid()), "Thread.print", "-l", "-e").start();
        return new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void noSecretIsShownWithTheSettings() throws Exception {
        var ended = ServerProcess.run(
                "config",
                "--database-url",
                "jdbc:postgresql://127.0.0.1:9/x",
                "--database-password",
                OTHER,
                "--s3-bucket",
                "none",
                "--oidc-issuer",
                "https://id.acme.test",
                "--oidc-client-id",
                "sheaf",
                "--public-url",
                "https://bundles.acme.test",
                "--s3-access-key-id",
                "somebody",
                "--s3-secret-access-key",
                BUCKET,
                "--oidc-client-secret",
                CLIENT,
                "--master-key",
                MASTER);

        assertThat(ended.output()).contains("oidc-client-secret").doesNotContain(OTHER, BUCKET, CLIENT, MASTER);
    }

    /// What a server says that cannot reach its database or its bucket.
    @Test
    void noSecretIsInTheErrorsOfAServerThatDoesNotStart() throws Exception {
        var ended = ServerProcess.run(
                "serve",
                "--port",
                "0",
                "--log-level",
                "trace",
                "--data-dir",
                folder.resolve("none").toString(),
                "--database-url",
                "jdbc:postgresql://127.0.0.1:9/x",
                "--database-user",
                "somebody",
                "--database-password",
                OTHER,
                "--s3-bucket",
                "none",
                "--s3-endpoint",
                "http://127.0.0.1:9",
                "--s3-access-key-id",
                "somebody",
                "--s3-secret-access-key",
                BUCKET,
                "--master-key",
                MASTER);

        assertThat(ended.code()).isNotZero();
        assertThat(ended.output()).isNotBlank().doesNotContain(OTHER, BUCKET, MASTER);
    }

    /// People, and access tokens of every grant.
    private static List<String> usePeopleAndTokens(Requests requests, String admin, String url) {
        var secrets = new ArrayList<>(useTickets(requests, admin));
        secrets.addAll(useSession(requests));
        secrets.addAll(useTokens(requests, admin));
        secrets.addAll(useRun(requests, admin, url));
        return secrets;
    }

    private static List<String> useTokens(Requests requests, String admin) {
        String exchanged = exchange(requests, admin, OAuthScenario.API_KEY);
        String again = exchange(requests, exchanged, OAuthScenario.ACCESS_TOKEN);
        requests.form("/v1/oauth/revoke", null, "token", again);
        requests.form("/v1/oauth/introspect", admin, "token", exchanged);
        String device = text(
                requests.form("/v1/oauth/device_authorization", null, "client_id", "x", "scope", "read"),
                "device_code");
        requests.form("/v1/oauth/token", null, "grant_type", DEVICE, "device_code", device);
        return List.of(exchanged, again, device);
    }

    private static List<String> useTickets(Requests requests, String admin) {
        String ticket =
                text(requests.post("/v1/admin/users", admin, "{\"email\": \"one@acme.test\"}"), "passwordToken");
        for (String password : List.of("short", TestApp.PASSWORD, OTHER)) { // too short, taken, a ticket that is used
            requests.post("/v1/users:setPassword", null, """
                    {"token": "%s", "password": "%s"}""".formatted(ticket, password));
        }
        String invitation = text(requests.post("/v1/organizations/default/invitations", admin, """
                {"email": "two@acme.test", "role": "admin"}"""), "token");
        for (int i = 0; i < 2; i++) {
            requests.post("/v1/invitations:accept", null, """
                    {"token": "%s", "password": "%s"}""".formatted(invitation, OTHER));
        }
        return List.of(ticket, invitation);
    }

    private static List<String> useSession(Requests requests) {
        requests.post("/v1/sessions", null, """
                {"email": "one@acme.test", "password": "%s"}""".formatted(OTHER)); // wrong
        var session = requests.post("/v1/sessions", null, """
                {"email": "one@acme.test", "password": "%s"}""".formatted(TestApp.PASSWORD));
        String access = text(session, "accessToken");
        var refreshed = requests.send(requests.request("POST", "/v1/sessions/current:refresh", null, null)
                .header("Cookie", cookie(session)));
        requests.post("/v1/users/me:changePassword", access, """
                {"currentPassword": "%s", "newPassword": "%s"}""".formatted(OTHER, OTHER)); // wrong
        requests.get("/v1/organizations/default/members", access);
        String handedOn = exchange(requests, access, OAuthScenario.ACCESS_TOKEN);
        return List.of(access, value(cookie(session)), value(cookie(refreshed)), handedOn);
    }

    private static String value(String cookie) {
        return cookie.substring(cookie.indexOf('=') + 1);
    }

    private static List<String> useRun(Requests requests, String admin, String url) {
        String idToken = TrustedPublishingScenario.idToken(
                "github", List.of(url), TrustedPublishingScenario.github("acme/secret"), 300);
        requests.post(
                TrustedPublishingScenario.PUBLISHERS, admin, """
                {"provider": "github", "issuer": "%s", "repository": "acme/secret", "bundles": ["acme/kit"]}""".formatted(TrustedPublishingScenario.issuer("github")));
        String run = exchange(requests, idToken, TrustedPublishingScenario.ID_TOKEN);
        requests.form(
                "/v1/oauth/token",
                null,
                "grant_type",
                OAuthScenario.EXCHANGE,
                "subject_token",
                idToken,
                "subject_token_type",
                TrustedPublishingScenario.ID_TOKEN); // which was used
        return List.of(idToken, run);
    }

    private static String cookie(Reply reply) {
        return reply.header("Set-Cookie").split(";", 2)[0];
    }

    private static String exchange(Requests requests, String subject, String type) {
        return text(
                requests.form(
                        "/v1/oauth/token",
                        null,
                        "grant_type",
                        OAuthScenario.EXCHANGE,
                        "subject_token",
                        subject,
                        "subject_token_type",
                        type),
                "access_token");
    }

    private static String text(Reply reply, String member) {
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
        return reply.json().get(member).stringValue();
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
