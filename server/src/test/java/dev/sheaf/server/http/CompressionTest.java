package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Answers in gzip and zstd where they are asked for (contract 3.2).
class CompressionTest {
    private static final String PULL = "/v1/namespaces/zip/bundles/kit/versions/1.0.0:pull";

    @TempDir
    private static Path folder;

    private static TestApp app;

    @BeforeAll
    static void start() {
        app = TestApp.start(folder);
        assertThat(app.push("zip/kit", "1.0.0", "public", "text ".repeat(2_000)).status())
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static Reply get(String path, String... headers) {
        var request = app.request("GET", path, null, null);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return app.send(request);
    }

    @Test
    void aPullIsTheSameInEveryForm() throws IOException {
        var plain = get(PULL);
        var gzip = get(PULL, "Accept-Encoding", "gzip");
        var zstd = get(PULL, "Accept-Encoding", "gzip, zstd");

        assertThat(plain.header("Content-Encoding")).isEmpty();
        assertThat(gzip.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(zstd.header("Content-Encoding")).isEqualTo("zstd");
        assertThat(gzip.response().body().length).isLessThan(plain.response().body().length / 10);
        try (var in =
                new GZIPInputStream(new ByteArrayInputStream(gzip.response().body()))) {
            assertThat(in.readAllBytes()).isEqualTo(plain.response().body());
        }
        assertThat(Zstd.decompress(zstd.response().body(), plain.response().body().length))
                .isEqualTo(plain.response().body());
        assertThat(plain.response().headers().allValues("Vary")).contains("Accept-Encoding");
        assertThat(gzip.response().headers().allValues("Vary")).contains("Accept-Encoding");
    }

    @Test
    void everyFormHasItsOwnTagAndEachOfThemIsNotModified() {
        var plain = get(PULL).header("ETag");
        var gzip = get(PULL, "Accept-Encoding", "gzip").header("ETag");

        assertThat(gzip).isNotEqualTo(plain).endsWith("-gzip\"");
        assertThat(get(PULL, "If-None-Match", gzip, "Accept-Encoding", "gzip").status())
                .isEqualTo(304);
        assertThat(get(PULL, "If-None-Match", gzip).status()).isEqualTo(304);
        assertThat(get(PULL, "If-None-Match", plain, "Accept-Encoding", "gzip").status())
                .isEqualTo(304);
    }

    @Test
    void smallAnswersSecretsAndTheRegistryStayAsTheyAre() {
        assertThat(get("/health/live", "Accept-Encoding", "gzip").header("Content-Encoding"))
                .isEmpty();
        assertThat(get("/v2/zip/kit/manifests/1.0.0", "Accept-Encoding", "gzip").header("Content-Encoding"))
                .isEmpty();
        String names = "\"acme/kit-with-a-long-name\",".repeat(40);
        var key = app.send(app.request("POST", "/v1/organizations/default/api-keys", app.admin(), """
                        {"name": "long", "description": "%s", "restrictions": {"bundles": [%s]}}""".formatted(
                                "d".repeat(1_000), names.substring(0, names.length() - 1)))
                .header("Accept-Encoding", "gzip"));
        assertThat(key.status()).isEqualTo(201);
        assertThat(key.text()).hasSizeGreaterThan(1_400);
        assertThat(key.header("Content-Encoding")).isEmpty();
    }
}
