package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that refuses its rehearsed load learns little from it.
class RehearsedLoadTest {
    @Test
    void theServerAcceptsAllOfIt(@TempDir Path data) throws Exception {
        try (var app = TestApp.start(data)) {
            int refused = new RehearsedLoad(app.url(), app.admin()).run(4, 3);

            assertThat(refused).isZero();
            assertThat(app.get("/v1/namespaces/none/bundles/load/versions", null)
                            .text())
                    .contains("1.0.0", "1.0.1", "1.0.2");
        }
    }
}
