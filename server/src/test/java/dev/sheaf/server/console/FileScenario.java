package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.TestApp;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// Bundles with files that nobody means well with, and what holds for every page about them.
public final class FileScenario {
    /// As much as a page may send.
    public static final int MOST = 100 << 10;

    private FileScenario() {}

    /// Publishes files: texts, or bytes.
    public static void push(TestApp app, String repository, String version, String visibility, Map<String, ?> files) {
        var parts = repository.split("/");
        var manifest = files.entrySet().stream()
                .map(file -> file.getValue() instanceof byte[] bytes
                        ? Map.of(
                                "logicalPath", file.getKey(),
                                "contentBase64", Base64.getEncoder().encodeToString(bytes))
                        : Map.of("logicalPath", file.getKey(), "contentText", file.getValue()))
                .toList();
        var body = Map.of("name", "Test", "visibility", visibility, "version", version, "manifest", manifest);
        var reply = app.post(
                "/v1/namespaces/" + parts[0] + "/bundles/" + parts[1] + ":push",
                app.admin(),
                new String(Json.write(body), StandardCharsets.UTF_8));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    /// Opens a page, and looks that it is small and that nothing in it does anything.
    public static String open(Browser browser, String url) {
        var page = browser.open(url);
        assertThat(page.status()).as(url).isEqualTo(200);
        String html = page.html();
        assertThat(html.getBytes(StandardCharsets.UTF_8).length).as(url).isLessThan(MOST);
        assertThat(html.split("<h1[ >]", -1)).as("headings of " + url).hasSize(2);
        for (String bad : List.of("<script>", "onerror=", "onclick=", "javascript:", "<iframe", "<style", "style=\"")) {
            assertThat(tags(html)).as(url).doesNotContain(bad);
        }
        assertThat(html.codePoints().filter(FileScenario::isHidden).boxed().toList())
                .as("hidden characters in " + url)
                .isEmpty();
        return html;
    }

    private static boolean isHidden(int c) {
        return c < ' ' && c != '\n' && c != '\t'
                || c >= 0x7F && c <= 0x9F
                || c >= 0x202A && c <= 0x202E
                || c >= 0x2066 && c <= 0x2069
                || c == 0x200B
                || c >= 0xE0000 && c <= 0xE007F;
    }

    /// All that stands in tags, as browsers read them: attributes hold no angle brackets that are not escaped.
    private static String tags(String html) {
        var tags = new StringBuilder();
        int at = html.indexOf('<');
        while (at >= 0) {
            int end = html.indexOf('>', at);
            tags.append(html, at, end + 1);
            at = html.indexOf('<', end);
        }
        return tags.toString();
    }
}
