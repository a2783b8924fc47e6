package dev.sheaf.server.testing.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Playwright.CreateOptions;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Debian's Chromium, driven by Playwright. One process serves all tests of a JVM and ends with it. Playwright is used
/// by one thread only.
public final class Chromium {
    private static final Path DRIVER =
            Path.of("../target/tools/browser").toAbsolutePath().normalize();

    /// Chromium without windows. With the whole browser the tests take half as long again.
    private static final String PROGRAM = "chromium-headless-shell";

    private static com.microsoft.playwright.@Nullable Browser browser;

    /// Why a class that needs a browser is skipped.
    public static final String MISSING =
            "no browser: chromium-headless-shell, node or playwright-core in target/tools/browser is missing (see .ci/run)";

    private Chromium() {}

    /// Skips the test that asks where the browser or its driver is missing.
    public static void assumeThere() {
        Tool.assumeInstalled(PROGRAM, PROGRAM);
        Tool.assumeInstalled("node", "nodejs");
        assumeTrue(hasDriver(), DRIVER + " has no playwright-core from npm (see .ci/run): no browser");
    }

    /// For `@EnabledIf` on a class whose `@BeforeAll` opens a window: a class that is skipped there runs its
    /// `@AfterAll`.
    public static boolean isThere() {
        return Tool.isInstalled(PROGRAM) && Tool.isInstalled("node") && hasDriver();
    }

    private static boolean hasDriver() {
        return Files.exists(DRIVER.resolve("node_modules/playwright-core/cli.js"));
    }

    /// Returns a browser without cookies, in the hands of somebody.
    public static Browser open(Hand hand) {
        return hand == Hand.HTTP ? new Browser() : new HandBrowser(running(), hand);
    }

    /// Shows a page that no server has, and checks it as others are.
    static void show(String html, String path) {
        try (var page = running().newPage()) {
            page.setContent(html);
            Axe.check(page, new Browser.Page(URI.create("http://127.0.0.1" + path), 200, html));
        }
    }

    static com.microsoft.playwright.Browser running() {
        if (browser == null) {
            System.setProperty("playwright.cli.dir", layout().toString());
            var playwright = Playwright.create(new CreateOptions()
                    .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1", "PLAYWRIGHT_NODEJS_PATH", "node")));
            browser = playwright
                    .chromium()
                    .launch(new LaunchOptions()
                            .setExecutablePath(Path.of("/usr/bin", PROGRAM))
                            .setArgs(List.of(
                                    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--process-per-site")));
        }
        return browser;
    }

    /// Playwright for Java looks for its driver as `package/cli.js`.
    private static Path layout() {
        var link = DRIVER.resolve("package");
        try {
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, Path.of("node_modules/playwright-core"));
            }
        } catch (FileAlreadyExistsException e) {
            return DRIVER; // another process has made it
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return DRIVER;
    }
}
