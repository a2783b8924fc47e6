package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads that only ask whether something is new, by callers who have no read left: what costs much is not done for
/// them, and they are never refused where nothing is new.
@EveryStack
@Tag("slow")
class ConditionalReadsTest {
    private static final String KIT = "/v1/namespaces/acme/bundles/kit";
    private static final String HUB = "/v1/hub/bundles/acme/kit";
    private static final String OLD = "one ".repeat(20_000); // too long for the database
    private static final String NEW = "two ".repeat(20_000);
    private static final String BLOB = "/v2/acme/kit/blobs/" + Digest.sha256(OLD.getBytes(StandardCharsets.UTF_8));
    private static final String PULL = KIT + "/versions/1.0.0:pull";
    private static final String SEARCH = "/v1/hub/bundles?q=kit";
    private static final String STRANGER = "198.51.100.7";

    @Parameter
    private Stack stack;

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private TestApp app;

    @BeforeEach
    void start(@TempDir Path folder) {
        var settings = Map.of("rate-anonymous-reads", "3", "rate-content", "3", "trusted-proxies", "127.0.0.1");
        app = TestApp.start(stack, folder, InstantSource.system(), settings);
        assertThat(app.push("acme/kit", "1.0.0", "public", OLD).status()).isEqualTo(201);
        assertThat(app.push("acme/kit", "1.1.0", "public", NEW).status()).isEqualTo(201);
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private Reply read(String path, String etag) {
        var request = app.request("GET", path, null, null)
                .header("X-Forwarded-For", STRANGER)
                .header("Accept", path.contains("raw") ? "application/octet-stream" : "*/*");
        return app.send(etag.isEmpty() ? request : request.header("If-None-Match", etag));
    }

    /// Pages and files are counted separately.
    private void useUp() {
        for (String path : List.of(KIT, path("raw asset"))) {
            for (Reply reply = read(path, ""); reply.status() != 429; reply = read(path, "")) {
                assertThat(reply.status()).isEqualTo(200);
            }
        }
    }

    /// A client of registries is asked for the credential that it may have.
    private static int refused(String path) {
        return path.startsWith("/v2/") ? 401 : 429;
    }

    /// From now on whoever reads content leaves a trace.
    private void loseContent() throws IOException {
        for (String name : app.stored().names()) {
            app.stored().remove(name);
        }
    }

    private long traces() {
        return app.database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT count(*) FROM event WHERE type LIKE 'blob%damaged'")
                        .mapTo(Long.class)
                        .one());
    }

    private static String path(String kind) {
        return switch (kind) {
            case "pull" -> PULL;
            case "pull of the hub" -> HUB + "/versions/1.0.0:pull";
            case "diff" -> KIT + "/versions/1.0.0:diff?to=1.1.0";
            case "asset" -> KIT + "/assets/SKILL.md?version=1.0.0";
            case "raw asset" -> KIT + "/assets/SKILL.md?version=1.0.0&raw";
            case "blob" -> BLOB;
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"pull", "pull of the hub", "diff", "asset", "raw asset", "blob"})
    void whoHasNothingLeftMakesTheServerReadNothing(String kind) throws Exception {
        useUp();
        loseContent();

        assertThat(read(path(kind), "\"other\"").status()).isEqualTo(refused(path(kind)));
        assertThat(traces()).isZero();

        assertThat(app.get(path(kind), app.admin()).status()).isEqualTo(404);
        assertThat(traces()).as("it is what would have been read").isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pull", "pull of the hub", "diff", "asset", "raw asset", "blob"})
    void whoHasTheAnswerIsToldSoWithoutReadingIt(String kind) throws Exception {
        String etag = read(path(kind), "").header("ETag");
        useUp();
        loseContent();

        for (int i = 0; i < 5; i++) {
            var known = read(path(kind), etag);
            assertThat(known.status()).isEqualTo(304);
            assertThat(known.header("ETag")).isEqualTo(etag);
        }
        assertThat(traces()).isZero();
    }

    @Test
    void theValidatorOfACodingIsKnownToo() {
        var coded = app.send(app.request("GET", PULL, null, null)
                .header("X-Forwarded-For", STRANGER)
                .header("Accept-Encoding", "gzip"));
        assertThat(coded.header("ETag")).endsWith("-gzip\"");
        useUp();

        var known = read(PULL, coded.header("ETag"));

        assertThat(known.status()).isEqualTo(304);
        assertThat(known.header("ETag")).isEqualTo(coded.header("ETag"));
        assertThat(known.header("Vary")).contains("Accept-Encoding");
    }

    @Test
    void formsOfAnAnswerHaveValidatorsOfTheirOwn() {
        String plain = app.get(PULL, app.admin()).header("ETag");

        assertThat(app.get(PULL + "?binary=base64", app.admin()).header("ETag")).isNotEqualTo(plain);
        assertThat(app.get(KIT + "/versions/1.1.0:pull", app.admin()).header("ETag"))
                .isNotEqualTo(plain);
        String diff = app.get(path("diff"), app.admin()).header("ETag");
        assertThat(app.get(KIT + "/versions/1.1.0:diff?to=1.0.0", app.admin()).header("ETag"))
                .isNotEqualTo(diff);
    }

    @Test
    void aSearchCountsWhateverItIsAskedWith() {
        String etag = read(SEARCH, "").header("ETag");

        var known = read(SEARCH, etag);
        assertThat(known.status()).isEqualTo(304);
        assertThat(known.header("RateLimit")).contains("r=1;");
        useUp();

        assertThat(read(SEARCH, etag).status()).isEqualTo(429);
    }

    @Test
    void aPageOfAFileCountsBeforeTheFileIsRead() throws Exception {
        String version = "/acme/kit/versions/1.0.0";
        String raw = version + "/raw/SKILL.md";
        String etag = read(raw, "").header("ETag");
        useUp();
        loseContent();

        for (String path : new String[] {version + "/files/SKILL.md", version, "/acme/kit", "/?q=kit", raw}) {
            assertThat(read(path, "\"other\"").status()).as(path).isEqualTo(429);
        }
        assertThat(read(raw, etag).status()).as("its validator is known").isEqualTo(304);
        assertThat(traces()).isZero();
        assertThat(app.get(raw, null).status()).isEqualTo(404);
        assertThat(traces()).as("it is what would have been read").isPositive();
    }

    @Test
    void aPageThatIsNotRenderedYetIsNotForThoseWhoHaveNothingLeft() {
        assertThat(app.send("PATCH", KIT, app.admin(), "{\"readmeContent\": \"# One\"}")
                        .status())
                .isEqualTo(200);
        String etag = page("").header("ETag");
        assertThat(etag).isNotEmpty();
        useUp();
        assertThat(page(etag).status()).as("it is rendered").isEqualTo(304);

        app.send("PATCH", KIT, app.admin(), "{\"readmeContent\": \"# Two\"}");

        assertThat(page("*").status()).isEqualTo(429);
    }

    private Reply page(String etag) {
        var request = app.request("GET", KIT + "/readme", null, null)
                .header("X-Forwarded-For", STRANGER)
                .header("Accept", "text/html");
        return app.send(etag.isEmpty() ? request : request.header("If-None-Match", etag));
    }

    @Test
    void whatIsRefusedOrKnownIsNoDownload() {
        String etag = app.get(PULL, app.admin()).header("ETag");
        String manifest = "/v2/acme/kit/manifests/1.1.0";
        useUp();

        assertThat(read(PULL, "").status()).isEqualTo(429);
        assertThat(read(PULL, "\"other\"").status()).isEqualTo(429);
        assertThat(read(PULL, etag).status()).isEqualTo(304);
        assertThat(read(manifest, "\"other\"").status()).isEqualTo(refused(manifest));
        assertThat(read(manifest, "*").status()).as("names no answer").isEqualTo(refused(manifest));
        String known = app.send("HEAD", manifest, app.admin(), null).header("ETag");
        assertThat(read(manifest, known).status()).isEqualTo(304);
        assertThat(downloads()).as("that of the administrator").isEqualTo(1);
    }

    private long downloads() {
        app.countDownloads();
        return app.get(HUB, app.admin()).json().get("downloadsTotal").longValue();
    }
}
