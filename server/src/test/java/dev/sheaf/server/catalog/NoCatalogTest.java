package dev.sheaf.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Registries that have no catalog, and why.
class NoCatalogTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"/.well-known/ai-catalog.json", "/.well-known/ard.json", "/ard/catalog", "/ard/agents/x"})
    void nothingIsThereUnlessTheOperatorWantsIt(String path) throws Exception {
        try (var app = TestApp.start(folder)) {
            var reply = app.get(path, null);

            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.text()).contains("its operator has not switched it on");
        }
    }

    @Test
    void thereIsNoneWithoutADomain() throws Exception {
        try (var app = TestApp.start(folder, Map.of("ai-catalog", "true", "public-url", "http://127.0.0.1:8080"))) {
            assertThat(app.get("/.well-known/ai-catalog.json", null).problem().detail())
                    .contains("public-url has no domain name");
            assertThat(app.post("/ard/search", null, "{\"query\": {\"text\": \"a\"}}")
                            .status())
                    .isEqualTo(404);
        }
    }
}
