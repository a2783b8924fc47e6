package dev.sheaf.server.testing.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.EmulateMediaOptions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import dev.sheaf.server.testing.Browser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Asks axe what is wrong with a page for people who see or move little: WCAG 2.2 A and AA and its best practices,
/// light
/// and dark.
final class Axe {
    private static final String SCRIPT = script();
    private static final Set<String> CHECKED = ConcurrentHashMap.newKeySet();
    private static final String RUN = """
            () => axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
              .map(v => v.id + ': ' + v.help + '\\n' + v.nodes.slice(0, 3)
                .map(n => '    ' + n.html.slice(0, 200) + '\\n      ' + n.failureSummary.replace(/\\n/g, ' ')).join('\\n'))
              .join('\\n'))""";

    private Axe() {}

    /// Once for each kind of page and status: numbers and ids in an address make no difference.
    static void check(Page page, Browser.Page shown) {
        String kind = shown.status() + " " + shown.place().getPath().replaceAll("[0-9a-f-]{20,}", "*");
        if (!shown.html().startsWith("<!doctype html>") || !CHECKED.add(kind)) {
            return;
        }
        var found = new StringBuilder();
        for (var scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
            page.emulateMedia(new EmulateMediaOptions().setColorScheme(scheme).setReducedMotion(ReducedMotion.REDUCE));
            page.evaluate(SCRIPT);
            found.append(page.evaluate(RUN));
        }
        if (!found.isEmpty()) {
            throw new AssertionError("axe at " + kind + ":\n" + found);
        }
    }

    private static String script() {
        try (InputStream script = Axe.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
