package dev.sheaf.server.console;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.TestRun;
import dev.sheaf.server.testing.browser.Chromium;
import dev.sheaf.server.testing.browser.Hand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What people do with pages: by plain HTTP, as without scripts; with `-Dsheaf.hands=keyboard` also by the keyboard in
/// a
/// browser, and by `make test-rest` only so ([TestRun]); with `-Dsheaf.hands=all` by each [Hand]. Each class and hand
/// has a node of its
/// own. Below the pages is the API, which other tests try on every stack, so one stack is enough here.
@ParameterizedClass
@MethodSource("hands")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("hands")
public abstract class OnConsole {
    @Parameter
    private Hand hand;

    static Collection<Hand> hands() {
        return switch (System.getProperty("sheaf.hands", "")) {
            case "all" -> EnumSet.allOf(Hand.class);
            case "keyboard" -> EnumSet.of(Hand.HTTP, Hand.KEYBOARD);
            default -> EnumSet.of(TestRun.isRest() ? Hand.KEYBOARD : Hand.HTTP);
        };
    }

    private TestApp app;
    private final List<Browser> browsers = new ArrayList<>();

    @BeforeParameterizedClassInvocation(injectArguments = false)
    public void start(@TempDir Path folder) {
        if (hand != Hand.HTTP) {
            assumeTrue(isByHand(), "these are requests that no person makes: by plain HTTP alone");
            Chromium.assumeThere();
        }
        app = TestApp.start(folder, settings());
        prepare();
    }

    @AfterParameterizedClassInvocation(injectArguments = false)
    public void stop() {
        browsers.forEach(Browser::close);
        browsers.clear();
        if (app != null) {
            app.close();
        }
    }

    /// Returns whether requests are made without a browser.
    public boolean isPlain() {
        return hand == Hand.HTTP;
    }

    /// Returns whether the tests do what people do.
    public boolean isByHand() {
        return true;
    }

    /// Settings other than the defaults.
    public Map<String, String> settings() {
        return Map.of();
    }

    /// Makes what all tests begin with.
    public void prepare() {}

    public TestApp app() {
        return app;
    }

    /// The address of a page.
    public String at(String path) {
        return app.url() + path;
    }

    /// A browser that nobody is signed in with.
    public Browser browser() {
        var browser = Chromium.open(hand);
        browsers.add(browser);
        return browser;
    }

    /// The browser of a new person with a role in an organization, signed in.
    ///
    /// @param organization null: in none
    public Browser person(String email, @Nullable String organization, @Nullable String role) {
        app.person(email, organization, role);
        var browser = browser();
        browser.beSignedIn(app.url(), email, TestApp.PASSWORD);
        return browser;
    }
}
