package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The type of every problem is a URL that answers with a page about it (contract 1.2).
class ProblemPagesTest {
    private static final Pattern SLUG = Pattern.compile("look\\(\\s*(\\d+),\\s*\"([a-z-]+)\"");

    @TempDir
    private Path folder;

    @Test
    void everyTypeHasItsPageAndEveryPageItsType() throws Exception {
        var source = Files.readString(Path.of("src/main/java/dev/sheaf/server/http/message/ProblemLooks.java"));
        var slugs = new TreeSet<String>();
        SLUG.matcher(source).results().forEach(match -> slugs.add(match.group(2)));
        slugs.removeAll(Set.of("unauthenticated", "scope-missing", "grant-missing")); // these are about:blank
        assertThat(slugs).hasSizeGreaterThan(15);
        slugs.add("lease-lost"); // of the contract; nothing is leased yet
        try (var app = TestApp.start(folder)) {
            var index = app.get("/problems", null).text();
            var listed = new TreeSet<String>();
            Pattern.compile("/problems/([a-z-]+)\"")
                    .matcher(index)
                    .results()
                    .forEach(match -> listed.add(match.group(1)));

            assertThat(listed).isEqualTo(slugs);
            for (String slug : slugs) {
                var page = app.get("/problems/" + slug, null);
                assertThat(page.status()).as(slug).isEqualTo(200);
                assertThat(page.header("Content-Type")).startsWith("text/html");
                assertThat(page.text()).contains(slug, "What to do");
            }
            assertThat(app.get("/problems/none-of-these", null).status()).isEqualTo(404);
        }
    }
}
