package dev.sheaf.server.maintenance.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.config.Setting;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitsApiTest {
    @TempDir
    private Path folder;

    /// The figures of contract 6.
    @Test
    void tellsEveryLimit() {
        var rates = Map.of(
                "memory-budget-bytes", "400000000",
                "rate-anonymous-reads", Setting.RATE_ANONYMOUS_READS.fallback(),
                "rate-reads", Setting.RATE_READS.fallback(),
                "rate-writes", Setting.RATE_WRITES.fallback(),
                "rate-content", Setting.RATE_CONTENT.fallback(),
                "rate-runner", Setting.RATE_RUNNER.fallback(),
                "rate-failed-authentications", Setting.RATE_FAILED_AUTHENTICATIONS.fallback());
        try (var app = TestApp.start(folder, rates)) {
            var reply = app.get("/v1/limits", null);

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("RateLimit")).isEmpty();
            assertThat(reply.text())
                    .isEqualTo("{\"maxAssetBytes\":104857600,\"maxTextBytes\":4194304,\"maxBundleBytes\":536870912,"
                            + "\"maxAssets\":2000,\"maxManifestBytes\":4194304,\"maxBlobBytes\":10737418240,"
                            + "\"maxOpenUploads\":200,\"maxOpenUploadsPerCredential\":100,"
                            + "\"maxReadmeBytes\":524288,\"maxPushBytes\":67108864,\"maxJsonBytes\":1048576,"
                            + "\"maxLiveKeys\":100,\"apiTimeoutSeconds\":10,\"transferTimeoutSeconds\":60,"
                            + "\"maxQueues\":200,\"maxWaitingJobs\":1000000,\"maxJobBytes\":262144,"
                            + "\"maxJobErrorBytes\":16384,\"maxJobsPerRequest\":100,\"rates\":["
                            + rate("anonymous-reads", 300, "address") + ","
                            + rate("reads", 3_000, "credential") + ","
                            + rate("writes", 300, "credential") + ","
                            + rate("content", 6_000, "credential or address") + ","
                            + rate("runner", 6_000, "credential") + ","
                            + rate("failed-authentications", 20, "address") + "]}");
        }
    }

    private static String rate(String name, int quota, String holder) {
        return "{\"name\":\"%s\",\"quota\":%d,\"windowSeconds\":60,\"countedFor\":\"%s\"}"
                .formatted(name, quota, holder);
    }

    @Test
    void eachOfThemIsASetting() {
        var settings = Map.of(
                "max-assets", "1",
                "max-asset-bytes", "10",
                "max-bundle-bytes", "15",
                "max-text-bytes", "5",
                "max-readme-bytes", "5",
                "max-json-bytes", "1024",
                "max-push-bytes", "2048",
                "max-manifest-bytes", "1024");
        try (var app = TestApp.start(folder, settings)) {
            String bundle = "/v1/namespaces/acme/bundles/kit";
            String two = """
                    {"name": "Test", "version": "1.0.1",
                     "manifest": [{"logicalPath": "a", "contentText": ""}, {"logicalPath": "b", "contentText": ""}]}""";
            String longName = "{\"name\":\"" + "x".repeat(1_024) + "\"}";
            String longReadme = "{\"readmeContent\": \"123456\"}";

            assertThat(app.push("acme/kit", "1.0.0", "public", "12345").status())
                    .isEqualTo(201);
            assertThat(app.push("acme/kit", "1.0.1", "public", "123456").status())
                    .isEqualTo(422);
            var large = app.push("acme/kit", "1.0.1", "public", "x".repeat(2_048));
            assertThat(large.status()).isEqualTo(413);
            assertThat(large.problem().detail()).startsWith("the JSON body (max-push-bytes) is over the limit of");
            assertThat(large.json().get("throttle").stringValue()).isEqualTo("size");
            assertThat(status(app, "POST", bundle + ":push", two)).isEqualTo(422);
            assertThat(status(app, "POST", "/v1/organizations/default/api-keys", longName))
                    .isEqualTo(413);
            assertThat(status(app, "PATCH", bundle, longReadme)).isEqualTo(422);
            assertThat(status(app, "PUT", "/v2/acme/kit/manifests/1.0.1", " ".repeat(1_025)))
                    .isEqualTo(413);
            assertThat(app.send(app.request("PUT", bundle + "/assets/c", app.admin(), "12345678901")
                                    .setHeader("Content-Type", "application/octet-stream"))
                            .status())
                    .isEqualTo(413);
        }
    }

    private static int status(TestApp app, String method, String path, String json) {
        return app.send(method, path, app.admin(), json).status();
    }
}
