package dev.sheaf.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a node refuses and tells while its database or its bucket is gone.
@Timeout(120)
class BreakersTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private static void put(Map<String, String> settings, String name, Line line, String end) {
        String before = Objects.requireNonNull(settings.get(name));
        settings.put(name, before.replaceFirst("//[^/]+", "//127.0.0.1:" + line.port()) + end);
    }

    private static boolean isOpen(TestApp app, String part) {
        return app.get("/metrics", null).text().contains("sheaf_breaker_open{part=\"" + part + "\"} 1");
    }

    private static String health(TestApp app) {
        return app.get("/health/ready", null).text();
    }

    /// A client behind a proxy would get 502 if all nodes closed the connection.
    @Test
    void theBucketBreaksOffBeforeTheFirstByte() throws Exception {
        var settings = new HashMap<>(Stack.POSTGRES_AND_BUCKET.settings(folder));
        try (var line = new Line(URI.create(Objects.requireNonNull(settings.get("s3-endpoint"))), Long.MAX_VALUE)) {
            put(settings, "s3-endpoint", line, "");
            try (var app = TestApp.start(Stack.POSTGRES_AND_BUCKET, folder, InstantSource.system(), settings)) {
                String text = "x".repeat(99_999);
                assertThat(app.push("acme/kit", "1.0.0", "public", text).status())
                        .isEqualTo(201);
                String blob = "/v2/acme/kit/blobs/" + Digest.sha256(text.getBytes(StandardCharsets.US_ASCII));
                String asset = "/v1/namespaces/acme/bundles/kit/assets/SKILL.md?version=1.0.0";

                line.cutContent(true);

                for (var broken : List.of(app.get(blob, null), app.get(asset, null))) {
                    assertThat(broken.status()).isEqualTo(503);
                    assertThat(broken.header("Retry-After")).isEqualTo("5");
                    assertThat(broken.header("Cache-Control")).doesNotContain("public");
                }
                line.cutContent(false);
                assertThat(app.get(blob, null).text()).isEqualTo(text);
            }
        }
    }

    @Test
    void theBucketAndThenTheDatabaseIsGone() throws Exception {
        var settings = new HashMap<>(Stack.POSTGRES_AND_BUCKET.settings(folder));
        var database =
                URI.create(Objects.requireNonNull(settings.get("database-url")).substring("jdbc:".length()));
        try (var first = new Line(database, Long.MAX_VALUE);
                var second =
                        new Line(URI.create(Objects.requireNonNull(settings.get("s3-endpoint"))), Long.MAX_VALUE)) {
            put(settings, "database-url", first, "");
            put(settings, "s3-endpoint", second, "");
            try (var app = TestApp.start(Stack.POSTGRES_AND_BUCKET, folder, InstantSource.system(), settings)) {
                assertThat(isOpen(app, "store")).isFalse();
                assertThat(isOpen(app, "database")).isFalse();

                second.cut();
                Eventually.within(SOON, () -> {
                    assertThat(app.push("acme/kit", "1.0.0", "public", "x".repeat(99_999))
                                    .status())
                            .isEqualTo(503);
                    return isOpen(app, "store");
                });

                Eventually.within(SOON, () -> health(app).contains("\"name\":\"store\",\"status\":\"down\""));
                assertThat(health(app)).contains("\"status\":\"degraded\"");

                first.cut();
                Eventually.within(SOON, () -> isOpen(app, "database"));

                Eventually.within(SOON, () -> app.get("/health/ready", null).status() == 503);
            }
        }
    }
}
