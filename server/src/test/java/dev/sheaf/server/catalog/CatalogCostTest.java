package dev.sheaf.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A catalog that is asked for again costs no query.
class CatalogCostTest {
    @TempDir
    private Path folder;

    @Test
    void aCatalogThatDidNotChangeIsNotMadeAgain() throws Exception {
        var settings = Map.of("public-url", "https://sheaf.example", "ai-catalog", "true");
        try (var app = TestApp.start(Stack.POSTGRES, folder, InstantSource.system(), settings)) {
            app.push("acme/notes", "1.0.0", "public", "# Notes");
            for (String path : List.of("/.well-known/ai-catalog.json", "/ard/catalog/acme")) {
                var first = new Statements(app.database())
                        .of(() -> assertThat(app.get(path, null).status()).isEqualTo(200));
                var again = new Statements(app.database())
                        .ofRepeated(
                                () -> assertThat(app.get(path, null).status()).isEqualTo(200));

                assertThat(first).isNotEmpty();
                assertThat(again).isEmpty();
            }
            var byItsOtherName = new Statements(app.database())
                    .ofRepeated(() -> assertThat(
                                    app.get("/.well-known/ard.json", null).status())
                            .isEqualTo(200));
            assertThat(byItsOtherName).isEmpty();
        }
    }
}
