package dev.sheaf.server.testing.browser;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.EmulateMediaOptions;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.file.Path;
import java.util.Locale;

/// Takes pictures of pages, each in the light and the dark theme.
public final class Pictures implements AutoCloseable {
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 800;

    private final BrowserContext context;
    private final Page page;
    private final Path folder;

    /// @param folder where `NAME-light.png` and `NAME-dark.png` are written
    public Pictures(Path folder) {
        this.folder = folder;
        context = Chromium.running().newContext(new NewContextOptions().setViewportSize(WIDTH, HEIGHT));
        page = context.newPage();
    }

    public void signIn(String url, String email, String password) {
        page.navigate(url + "/login");
        page.fill("[name=email]", email);
        page.fill("[name=password]", password);
        page.click("form[action='/login'] button[type=submit]");
        page.waitForURL(at -> !at.endsWith("/login"));
    }

    public void take(String url, String name) {
        page.navigate(url);
        for (var scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
            page.emulateMedia(new EmulateMediaOptions().setColorScheme(scheme).setReducedMotion(ReducedMotion.REDUCE));
            String file = name + "-" + scheme.name().toLowerCase(Locale.ROOT) + ".png";
            page.screenshot(new ScreenshotOptions().setPath(folder.resolve(file)));
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
