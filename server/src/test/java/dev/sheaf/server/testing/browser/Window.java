package dev.sheaf.server.testing.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.EmulateMediaOptions;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// One window of Chromium whose scripts run. Also looks at pages as they are in narrow windows: 320 px, and
/// 1280 px at a zoom of 200 %, which leaves 640 px for the page (WCAG 2.2, 1.4.4 and 1.4.10). Bound to its
/// thread.
public final class Window implements AutoCloseable {
    private static final String LOST = script("lost.js");
    private static final String CROOKED = script("crooked.js");
    private static final int[] WIDTHS = {320, 640};
    private static final int[] SCREENS = {1200, 768, 320};
    private static final int HEIGHT = 600;
    private static final double PATIENCE = 30_000; // ms

    private final BrowserContext context;
    private final Page page;

    public Window() {
        context = Chromium.running()
                .newContext(new NewContextOptions().setPermissions(List.of("clipboard-read", "clipboard-write")));
        context.setDefaultTimeout(PATIENCE);
        page = context.newPage();
    }

    public Page page() {
        return page;
    }

    public void signIn(String url, String email, String password) {
        page.navigate(url + "/login");
        page.fill("[name=email]", email);
        page.fill("[name=password]", password);
        page.click("form[action='/login'] button[type=submit]");
        page.waitForURL(at -> !at.endsWith("/login"));
    }

    /// Answers requests for an address in place of the server.
    public void serve(String url, String html, String policy) {
        page.route(
                url,
                route -> route.fulfill(new FulfillOptions()
                        .setBody(html)
                        .setHeaders(Map.of(
                                "Content-Type", "text/html; charset=utf-8", "Content-Security-Policy", policy))));
    }

    public void open(String url) {
        var answer = Objects.requireNonNull(page.navigate(url));
        assertThat(answer.status()).as(url).isEqualTo(200);
    }

    /// Returns what of the page is beyond an edge or cut off in a narrow window.
    public List<String> lost() {
        var lost = new ArrayList<String>();
        for (int width : WIDTHS) {
            page.setViewportSize(width, HEIGHT);
            String found = (String) page.evaluate(LOST);
            if (!found.isEmpty()) {
                lost.add(page.url() + ", " + width + " px wide:\n" + found);
            }
        }
        return lost;
    }

    /// Returns what stands wrong on the page on a wide, a middle and a narrow screen, in either theme:
    /// parts outside of their boxes, blocks that touch, text that is cut or squeezed.
    public List<String> crooked() {
        var crooked = new ArrayList<String>();
        for (var theme : new ColorScheme[] {ColorScheme.DARK, ColorScheme.LIGHT}) {
            page.emulateMedia(new EmulateMediaOptions().setColorScheme(theme));
            for (int width : SCREENS) {
                page.setViewportSize(width, HEIGHT);
                String found = (String) page.evaluate(CROOKED);
                if (!found.isEmpty()) {
                    crooked.add(page.url() + ", " + width + " px wide, " + theme + ":\n" + found);
                }
            }
        }
        return crooked;
    }

    /// Returns what axe finds in the page, in either theme.
    public String barriers() {
        return Axe.inBoth(page);
    }

    /// Returns what axe finds in a part of the page besides its colours.
    ///
    /// @param part a selector
    public String barriers(String part) {
        return Axe.inPart(page, part);
    }

    /// Drops files and folders of the disk on the middle of an element, as the desktop does.
    public void drop(String onto, Path... dropped) {
        page.locator(onto).scrollIntoViewIfNeeded();
        var box = page.locator(onto).boundingBox();
        var files = new JsonArray();
        Stream.of(dropped).forEach(path -> files.add(path.toString()));
        var data = new JsonObject();
        data.add("items", new JsonArray());
        data.add("files", files);
        data.addProperty("dragOperationsMask", 1); // copy
        var devTools = context.newCDPSession(page);
        for (String type : List.of("dragEnter", "dragOver", "drop")) {
            var event = new JsonObject();
            event.addProperty("type", type);
            event.addProperty("x", box.x + box.width / 2);
            event.addProperty("y", box.y + box.height / 2);
            event.add("data", data);
            devTools.send("Input.dispatchDragEvent", event);
        }
        devTools.detach();
    }

    /// Puts something into each page from now on, before the end of its main part, as a hole in a template
    /// would.
    public void plant(String html) {
        page.route("**/*", route -> {
            if (!List.of("document", "fetch", "xhr").contains(route.request().resourceType())) {
                route.resume();
                return;
            }
            var answer = route.fetch();
            route.fulfill(new FulfillOptions()
                    .setResponse(answer)
                    .setBody(answer.text().replace(" id=\"found\">", " id=\"found\">" + html)));
        });
    }

    @Override
    public void close() {
        context.close();
    }

    private static String script(String name) {
        try (InputStream script = Window.class.getResourceAsStream(name)) {
            String text = new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
            return text.substring(text.indexOf("() =>"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
