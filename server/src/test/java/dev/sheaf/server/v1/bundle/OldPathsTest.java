package dev.sheaf.server.v1.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.OldInstallation;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What was published under older rules of paths stays usable (contract 2).
class OldPathsTest {
    @Test
    void whatWasPublishedBeforeIsReadYankedAndDeleted(@TempDir Path folder) throws IOException, InterruptedException {
        var old = OldInstallation.in(folder);
        String key = old.key("bootstrap").expose();
        try (var app = TestApp.on(old.data(), old.key("bootstrap"))) {
            for (int i = 0; i < 10; i++) {
                String bundle = "/v1/namespaces/acme/bundles/odd" + i;
                var version = app.get(bundle + "/versions/1.0.0", key);
                assertThat(version.status()).as(version.text()).isEqualTo(200);
                assertThat(version.json().get("ociDigest").stringValue())
                        .isEqualTo(old.digests().get("odd" + i + ":1.0.0"));
                for (var asset : version.json().at("/manifest/assets")) {
                    String path = URLEncoder.encode(asset.get("logicalPath").stringValue(), StandardCharsets.UTF_8)
                            .replace("+", "%20");
                    assertThat(app.get(bundle + "/assets/" + path + "?version=1.0.0", key)
                                    .status())
                            .isEqualTo(200);
                }
                assertThat(app.get(bundle + "/assets", key).status()).isEqualTo(200);
                assertThat(app.get(bundle + "/versions/1.0.0:pull", key).status())
                        .isEqualTo(200);
                assertThat(app.post(bundle + "/versions/1.0.0:yank", key, "{}").status())
                        .isEqualTo(200);
                assertThat(app.send("DELETE", bundle, key, null).status()).isIn(200, 202, 204);
            }
        }
    }
}
