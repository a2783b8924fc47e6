package dev.sheaf.server.bundle.pages.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Browser.Chosen;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A form with more files than a bundle can have writes none of them.
class ManyFilesTest {
    private static final String FILES = "/acme/full/settings/files";

    private static List<Chosen> files(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new Chosen("files", i + ".md", new byte[] {'x'}))
                .toList();
    }

    @Test
    void noneIsWritten(@TempDir Path folder) {
        try (var app = TestApp.start(folder, Map.of("max-assets", "4"));
                var browser = new Browser()) {
            app.person("full@acme.test", "default", "owner");
            browser.signIn(app.url(), "full@acme.test", TestApp.PASSWORD);
            app.push("acme/full", "1.0.0", "public", "first");
            String assets = "/v1/namespaces/acme/bundles/full/assets";
            var page = browser.open(app.url() + FILES);
            String before = app.get(assets, app.admin()).text();
            int free = 4 - app.get(assets, app.admin()).json().get("data").size();

            for (int count : new int[] {free + 1, 5, 9}) {
                var refused = browser.upload(page, FILES, Map.of(), files(0, count));

                assertThat(refused.status()).as(count + " files").isEqualTo(422);
                assertThat(refused.html()).contains("files; at most 4 are possible.");
            }
            var made = browser.upload(
                    browser.open(app.url() + "/new"),
                    "/new",
                    Map.of("namespace", "acme", "slug", "made", "visibility", "private", "then", "draft"),
                    files(0, 5));
            assertThat(made.html()).contains("The bundle would have 5 files; at most 4 are possible.");
            assertThat(app.get("/v1/namespaces/acme/bundles/made", app.admin()).status())
                    .isEqualTo(404);
            assertThat(app.get(assets, app.admin()).text()).isEqualTo(before);

            assertThat(browser.upload(page, FILES, Map.of(), files(0, free)).html())
                    .contains(" written.");
            assertThat(browser.upload(page, FILES, Map.of(), files(0, free)).html())
                    .as("replaced")
                    .contains(" written.");
        }
    }
}
