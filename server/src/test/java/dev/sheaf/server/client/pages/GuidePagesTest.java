package dev.sheaf.server.client.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The guide has the words of the other pages and the address of this registry, for anybody.
class GuidePagesTest {
    @Test
    void itHasTheTasksTheWordsAndThisAddress(@TempDir Path folder) {
        try (var app = TestApp.start(folder)) {
            var page = app.get("/guide", null);

            assertThat(page.status()).isEqualTo(200);
            assertThat(page.text()).contains("sheaf login --url " + app.url());
            for (String word : List.of("Namespace", "Organization", "Bundle", "Version", "Tag", "Yanked", "Passport")) {
                assertThat(page.text()).contains("<dt>" + word + "</dt>");
            }
            assertThat(page.text().indexOf("sheaf add")).isLessThan(page.text().indexOf("curl -fsS"));
            assertThat(page.response().body().length).isLessThan(100 << 10);
        }
    }
}
