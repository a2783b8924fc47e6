package dev.sheaf.server.console;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What people do with pages, each class on a node of its own. Below the pages is the API, which other tests try on
/// every
/// stack, so one stack is enough here.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class OnConsole {
    private TestApp app;

    @BeforeAll
    void start(@TempDir Path folder) {
        app = TestApp.start(folder, settings());
        prepare();
    }

    @AfterAll
    void stop() {
        app.close();
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

    /// The browser of a new person with a role in an organization, signed in.
    ///
    /// @param organization null: in none
    public Browser person(String email, @Nullable String organization, @Nullable String role) {
        app.person(email, organization, role);
        var browser = new Browser();
        browser.signIn(app.url(), email, TestApp.PASSWORD);
        return browser;
    }
}
