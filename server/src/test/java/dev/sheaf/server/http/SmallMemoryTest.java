package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.TestApp;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node whose memory holds less than what is asked of it.
class SmallMemoryTest {
    private static final int MEMORY = 8 << 20;
    private static final String PULL = "/v1/namespaces/acme/bundles/%s/versions/1.0.0:pull";
    private static final String TEXT =
            "some words ".repeat(125_000); // four times of it are more than half of the memory

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private TestApp app;

    @BeforeEach
    void start(@TempDir Path folder) {
        app = TestApp.start(folder, Map.of("memory-budget-bytes", Integer.toString(MEMORY)));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    @Test
    void aPullThatNeverFitsIsRefusedForGood() {
        assertThat(app.push("acme/large", "1.0.0", "public", TEXT).status()).isEqualTo(201);

        var refused = app.get(PULL.formatted("large"), null);

        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.json().get("detail").stringValue())
                .contains("pull it from the registry")
                .endsWith("is over the limit of " + MEMORY / 2 / 4
                        + " bytes of this node's memory (memory-budget-bytes)");
        assertThat(refused.json().get("throttle").stringValue()).isEqualTo("memory");
        assertThat(refused.header("Retry-After")).isEmpty();
        assertThat(app.get(PULL.formatted("large"), app.admin()).status()).isEqualTo(200);
        String blob = "/v2/acme/large/blobs/" + Digest.sha256(TEXT.getBytes(StandardCharsets.UTF_8));
        assertThat(app.get(blob, null).status()).isEqualTo(200);
    }

    @Test
    void aPushThatNeverFitsIsRefusedForGood() {
        assertThat(app.push("acme/larger", "1.0.0", "public", TEXT + TEXT).status())
                .isEqualTo(413);
    }

    /// The limit that it tells is the one that it has.
    @Test
    void tellsTheLargestPushThatItTakes() {
        int most = app.get("/v1/limits", null).json().get("maxPushBytes").intValue();
        assertThat(most).isEqualTo(MEMORY * 3 / 4 / 3);

        var refused = app.push("acme/larger", "1.0.0", "public", "x".repeat(most));

        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.json().get("detail").stringValue())
                .isEqualTo("the JSON body is over the limit of " + most
                        + " bytes of this node's memory (memory-budget-bytes)");
        assertThat(app.push("acme/larger", "1.0.0", "public", "x".repeat(most - 5_000))
                        .status())
                .isEqualTo(201);
    }

    /// Its parsed form takes many times the bytes of the manifest.
    @Test
    void aManifestWhoseParsedFormNeverFitsIsRefusedForGood() {
        String annotations =
                IntStream.range(0, 60_000).mapToObj(i -> "\"a" + i + "\":\"\"").collect(Collectors.joining(","));

        var refused = app.send(HttpRequest.newBuilder(URI.create(app.url() + "/v2/acme/large/manifests/some-tag"))
                .header("Authorization", "Bearer " + app.admin())
                .header("Content-Type", MediaType.IMAGE_MANIFEST)
                .PUT(BodyPublishers.ofString("{\"schemaVersion\":2,\"annotations\":{" + annotations + "}}")));

        assertThat(refused.status()).as(refused.text()).isEqualTo(413);
        assertThat(refused.text()).contains("the parsed form of the manifest", "\"throttle\":\"memory\"");
    }
}
