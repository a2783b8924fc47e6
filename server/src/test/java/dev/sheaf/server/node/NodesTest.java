package dev.sheaf.server.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.PulledBundle;
import dev.sheaf.server.Main;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.testing.Buckets;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.SettableClock;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.Together;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/// Two nodes of one installation, which share a database and a bucket and nothing else.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before the first test
class NodesTest {
    private static final int MIB = 1 << 20;
    /// AuthenticatorTest measures that it takes less than a second.
    private static final Duration SOON = Duration.ofSeconds(30);

    private final long seed = System.nanoTime();
    private final SettableClock clock = new SettableClock();
    private TestApp one;
    private TestApp other;

    @BeforeAll
    void start(@TempDir Path folder) {
        one = TestApp.start(Stack.POSTGRES_AND_BUCKET, folder.resolve("one"), clock, Map.of());
        other = one.another(folder.resolve("other"), clock);
    }

    @AfterAll
    void stop() {
        one.close();
        other.close();
    }

    @Test
    void anUploadBegunAtOneNodeGoesOnAtTheOther() {
        int[][] runs = {
            {0, 1, 500}, {30_000, 32_000, 33_000}, {40_000, 40_000, 300_000}, {9 * MIB, 9 * MIB + 10, 18 * MIB}
        };
        for (int[] ends : runs) {
            var bytes = random(ends[2]);
            var digest = Digest.sha256(bytes);
            String upload = begin(one, "nodes/uploads");

            assertThat(chunk(other, upload, bytes, 0, ends[0]).status()).isEqualTo(202);
            assertThat(chunk(one, upload, bytes, ends[0], ends[1]).status()).isEqualTo(202);
            var done = put(other, upload + "?digest=" + digest, Arrays.copyOfRange(bytes, ends[1], ends[2]));

            assertThat(done.status()).as(done.text()).isEqualTo(201);
            for (var node : List.of(one, other)) {
                var got = node.get("/v2/nodes/uploads/blobs/" + digest, node.admin());
                assertThat(got.response().body()).as("seed %d", seed).isEqualTo(bytes);
                assertThat(node.get(upload, node.admin()).status()).isEqualTo(404);
            }
        }
    }

    @Test
    void anUploadEndedAtBothNodesAtOnceIsOneBlob() throws Exception {
        for (int size : new int[] {200_000, 17 * MIB}) {
            var bytes = random(size + 1);
            var digest = Digest.sha256(bytes);
            String upload = begin(one, "nodes/ends");
            chunk(one, upload, bytes, 0, bytes.length);

            var ended =
                    Together.run(2, i -> () -> put(i == 0 ? one : other, upload + "?digest=" + digest, new byte[0]));

            assertThat(ended.stream().map(Reply::status))
                    .contains(201)
                    .allMatch(status -> status == 201 || status == 404);
            for (var node : List.of(one, other)) {
                var got = node.get("/v2/nodes/ends/blobs/" + digest, node.admin());
                assertThat(got.response().body()).as("seed %d", seed).isEqualTo(bytes);
            }
        }
    }

    /// The first start makes the master key, from which the name of the channel comes.
    @Test
    void theFirstStartSendsHintsWithTheKeyThatItKeeps(@TempDir Path folder) throws Exception {
        var direct = Databases.postgres();
        var settings = Map.of(
                "database-url", direct.jdbcUrl(),
                "database-user", direct.user(),
                "database-password", direct.password().expose());
        try (var node = TestApp.start(folder, settings);
                var heard = DriverManager.getConnection(
                        direct.jdbcUrl(), direct.user(), direct.password().expose());
                var statement = heard.createStatement()) {
            String kept = MasterSecret.parse(node.master())
                    .seal("messages/1", "hints".getBytes(StandardCharsets.UTF_8))
                    .substring(0, 32);
            statement.execute("LISTEN \"sheaf_" + kept + "\"");

            assertThat(node.push("acme/notes", "1.0.0", "public", "text").status())
                    .isEqualTo(201);

            assertThat(heard.unwrap(PGConnection.class).getNotifications((int) SOON.toMillis()))
                    .isNotEmpty();
        }
    }

    @Test
    void whatIsPushedAtOneNodeIsPulledFromTheOther() {
        String text = "x".repeat(100_000);

        assertThat(one.push("nodes/bundle", "1.0.0", "private", text).status()).isEqualTo(201);

        var pulled = other.get("/v1/namespaces/nodes/bundles/bundle/versions/1.0.0:pull", one.admin());
        assertThat(pulled.status()).isEqualTo(200);
        assertThat(pulled.as(PulledBundle.class).manifest().getFirst().contentText())
                .isEqualTo(text);
    }

    @Test
    void aPartOfABlobIsReadFromTheBucket() {
        var bytes = random(3 * MIB);
        var digest = Digest.sha256(bytes);
        put(one, begin(one, "nodes/parts") + "?digest=" + digest, bytes);

        var part = other.send(other.request("GET", "/v2/nodes/parts/blobs/" + digest, other.admin(), null)
                .header("Range", "bytes=1000000-2000000"));

        assertThat(part.status()).isEqualTo(206);
        assertThat(part.response().body()).isEqualTo(Arrays.copyOfRange(bytes, 1_000_000, 2_000_001));
    }

    /// A token ends with its key: at the node that revokes or disables it at once, at the other soon.
    @Test
    void aTokenEndsOnTheOtherNode() {
        put(one, begin(one, "nodes/tokens") + "?digest=" + Digest.sha256(random(5)), random(5));
        for (boolean disable : List.of(true, false)) {
            var key = one.newKey("""
                    {"name": "ends %s", "scopes": ["write"]}""".formatted(disable));
            var id = key.id();
            String token = other.get("/v2/token?scope=repository:nodes/tokens:pull", key.key())
                    .json()
                    .get("token")
                    .stringValue();
            for (var node : List.of(one, other)) {
                assertThat(node.get("/v2/nodes/tokens/tags/list", token).status())
                        .isEqualTo(200);
            }

            if (disable) {
                one.disable(id);
            } else {
                one.send("DELETE", "/v1/organizations/default/api-keys/" + id, one.admin(), null);
            }

            assertThat(one.get("/v2/nodes/tokens/tags/list", token).status()).isEqualTo(401);
            Eventually.within(
                    SOON, () -> other.get("/v2/nodes/tokens/tags/list", token).status() == 401);
        }
    }

    @Test
    void aRevokedTokenEndsOnTheOtherNode() {
        String token = OAuthScenario.exchange(one, one.admin())
                .json()
                .get("access_token")
                .stringValue();
        for (var node : List.of(one, other)) {
            assertThat(node.get("/v1/publisher/me", token).status()).isEqualTo(200);
        }

        other.form("/v1/oauth/revoke", null, "token", token);

        assertThat(other.get("/v1/publisher/me", token).status()).isEqualTo(401);
        Eventually.within(SOON, () -> one.get("/v1/publisher/me", token).status() == 401);
    }

    /// A key that was rotated without overlap, and one that somebody handed in, end on both nodes.
    @Test
    void aKeyEndsOnTheOtherNode() {
        String keys = "/v1/organizations/default/api-keys";
        for (boolean leak : List.of(true, false)) {
            var key = one.newKey("{\"name\": \"goes " + leak + "\"}");
            String secret = requireNonNull(key.key());
            for (var node : List.of(one, other)) {
                assertThat(node.get("/v1/me", secret).status()).isEqualTo(200);
            }

            if (leak) {
                one.post("/v1/leaked-credentials", null, "{\"credentials\": [\"" + secret + "\"]}");
                Eventually.within(SOON, () -> one.get("/v1/me", secret).status() == 401);
            } else {
                one.post(keys + "/" + key.id() + ":rotate", one.admin(), "{\"overlap\": \"PT0S\"}");
                assertThat(one.get("/v1/me", secret).status()).isEqualTo(401);
            }

            Eventually.within(SOON, () -> other.get("/v1/me", secret).status() == 401);
        }
    }

    /// What ends by itself ends everywhere at the same moment: no node waits to be told.
    @Test
    void aTokenEndsWhereverItsKeyHasExpired() {
        String key = one.secret("""
                {"name": "short", "scopes": ["read"], "expiresIn": "PT1M"}""");
        String token = other.get("/v2/token", key).json().get("token").stringValue();
        for (var node : List.of(one, other)) {
            assertThat(node.get("/v2/", token).status()).isEqualTo(200);
        }

        clock.advance(Duration.ofMinutes(2));

        for (var node : List.of(one, other)) {
            assertThat(node.get("/v2/", token).status()).isEqualTo(401);
            assertThat(node.get("/v2/token", key).status()).isEqualTo(401);
        }
    }

    @Test
    void nodesPublishTheSameKeysOfTokens() {
        var keys = one.get("/.well-known/jwks.json", null).json();

        assertThat(other.get("/.well-known/jwks.json", null).json()).isEqualTo(keys);
        assertThat(keys.get("keys")).hasSize(1);
    }

    @Test
    void aNodeDoesNotStartWithoutItsBucket(@TempDir Path folder) {
        var settings = Buckets.settings("never-made", "wrong");
        var err = new ByteArrayOutputStream();
        var print = new PrintStream(err, true, StandardCharsets.UTF_8);

        var exit = Main.run(
                List.of("serve", "--port=0", "--data-dir=" + folder, "--log-level=error", "--s3-path-style=true"),
                Map.of(
                        "SHEAF_S3_BUCKET",
                        settings.bucket(),
                        "SHEAF_S3_ENDPOINT",
                        String.valueOf(settings.endpoint()),
                        "SHEAF_S3_ACCESS_KEY_ID",
                        Buckets.KEY_ID,
                        "SHEAF_S3_SECRET_ACCESS_KEY",
                        Buckets.SECRET),
                print,
                print);

        assertThat(exit).isEqualTo(ServerExit.STORAGE_UNREACHABLE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("sheaf: the bucket never-made does not exist; create it")
                .doesNotContain(Buckets.SECRET)
                .doesNotContain("\tat ");
        DataDir.open(folder).close();
    }

    private static String begin(TestApp node, String repository) {
        var begun = node.send("POST", "/v2/" + repository + "/blobs/uploads/", node.admin(), null);
        assertThat(begun.status()).as(begun.text()).isEqualTo(202);
        return begun.header("Location");
    }

    private static Reply chunk(TestApp node, String upload, byte[] bytes, int from, int to) {
        return node.send(node.request("PATCH", upload, node.admin(), null)
                .method("PATCH", BodyPublishers.ofByteArray(bytes, from, to - from)));
    }

    private static Reply put(TestApp node, String path, byte[] body) {
        return node.send(node.request("PUT", path, node.admin(), null).method("PUT", BodyPublishers.ofByteArray(body)));
    }

    private byte[] random(int size) {
        var bytes = new byte[size];
        new Random(seed + size).nextBytes(bytes);
        return bytes;
    }
}
