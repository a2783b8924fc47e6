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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Asks axe what is wrong with a page for people who see or move little: WCAG 2.2 A and AA and its best practices,
/// light
/// and dark.
final class Axe {
    private static final String SCRIPT = script();
    private static final Pattern TAG = Pattern.compile("<([a-z][a-z0-9]*)([^>]*)>");
    private static final Pattern LOOK = Pattern.compile(" (class|data-tone|role|type)=\"[^\"]*\"");
    private static final Pattern NAME = Pattern.compile(
            "/(organizations|queues|jobs|instructions|schedules|routes|habitats"
                    + "|workers|webhooks|deliveries|keys|members|namespaces|publishers|tags|versions|people|tasks|compare|files)/[^/:]+");
    private static final Set<String> CHECKED = ConcurrentHashMap.newKeySet();
    private static final String RUN = """
            ([part, rules]) => axe.run(part, {resultTypes: ['violations'], ...rules}).then(found => found.violations
              .map(v => v.id + ': ' + v.help + '\\n' + v.nodes.slice(0, 3)
                .map(n => '    ' + n.html.slice(0, 200) + '\\n      ' + n.failureSummary.replace(/\\n/g, ' ')).join('\\n'))
              .join('\\n'))""";
    private static final Map<String, Object> ON = Map.of("enabled", true);

    /// The rules that axe leaves out unless it is told otherwise.
    private static final Map<String, Object> ALL =
            Map.of("rules", Map.of("target-size", ON, "label-content-name-mismatch", ON, "landmark-unique", ON));
    private static final Map<String, Object> STRUCTURE = Map.of(
            "rules",
            Map.of(
                    "target-size",
                    ON,
                    "label-content-name-mismatch",
                    ON,
                    "color-contrast",
                    Map.of("enabled", false),
                    "link-in-text-block",
                    Map.of("enabled", false)));

    /// The rules whose result depends on colours: the second theme need not answer the others again.
    private static final Map<String, Object> COLOURS =
            Map.of("runOnly", List.of("color-contrast", "link-in-text-block"));

    private Axe() {}

    /// Checks a page unless one of its kind was checked, and every tag in it with its look, too.
    static void check(Page page, Browser.Page shown) {
        if (!shown.html().startsWith("<!doctype html>") || !isNew(shown)) {
            return;
        }
        String found = inBoth(page);
        if (!found.isEmpty()) {
            throw new AssertionError("axe at " + kind(shown) + ":\n" + found);
        }
    }

    private static boolean isNew(Browser.Page shown) {
        boolean isNew = CHECKED.add(kind(shown));
        for (var tag : TAG.matcher(shown.html()).results().toList()) {
            var look =
                    LOOK.matcher(tag.group(2)).results().map(MatchResult::group).toList();
            isNew |= CHECKED.add(tag.group(1) + look);
        }
        return isNew;
    }

    /// The status and the path without the names in it. Errors that a page is not shown for look alike.
    static String kind(Browser.Page shown) {
        String path = shown.place().getPath();
        boolean isError = List.of(401, 403, 404).contains(shown.status());
        return shown.status() + " " + (isError ? "" : NAME.matcher(path).replaceAll("/$1/*"));
    }

    /// Returns what is wrong in either theme; empty: nothing.
    static String inBoth(Page page) {
        page.evaluate(SCRIPT);
        page.emulateMedia(
                new EmulateMediaOptions().setColorScheme(ColorScheme.DARK).setReducedMotion(ReducedMotion.REDUCE));
        String dark = (String) page.evaluate(RUN, List.of("html", COLOURS));
        page.emulateMedia(new EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        return dark + page.evaluate(RUN, List.of("html", ALL));
    }

    /// Returns what is wrong in a part of the page besides its colours; empty: nothing. Rules about a page as a whole
    /// are left out.
    ///
    /// @param part a selector
    static String inPart(Page page, String part) {
        page.evaluate(SCRIPT);
        return (String) page.evaluate(RUN, List.of(part, STRUCTURE));
    }

    private static String script() {
        try (InputStream script = Axe.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
