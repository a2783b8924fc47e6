package dev.sheaf.server.console.security;

import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What an attacker tries over HTTP, each class on a node of its own. No browser is needed for that, nor would one send
/// all of it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnNode {
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
    Map<String, String> settings() {
        return Map.of();
    }

    /// Makes what all tests begin with.
    void prepare() {}

    TestApp app() {
        return app;
    }
}
