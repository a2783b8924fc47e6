package dev.sheaf.server.apm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.PlainZip;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A list or an archive that is asked for again costs no query.
class ApmCostTest {
    @TempDir
    private Path folder;

    @Test
    void whatDidNotChangeIsNotLookedUpAgain() throws Exception {
        String versions = "/apm/v1/packages/acme/kit/versions";
        try (var app = TestApp.start(Stack.POSTGRES, folder)) {
            app.push("acme/kit", "1.0.0", "public", "# Kit");
            byte[] archive = new PlainZip()
                    .file("apm.yml", "name: kit\nversion: 1.1.0\n")
                    .end();
            var put = app.request("PUT", versions + "/1.1.0", app.admin(), null)
                    .header("Content-Type", "application/zip")
                    .PUT(BodyPublishers.ofByteArray(archive));
            assertThat(app.send(put).status()).isEqualTo(201);
            for (String path : List.of(versions, versions + "/1.1.0/download", versions + "/1.0.0/download")) {
                new Statements(app.database())
                        .of(() -> assertThat(app.get(path, null).status()).isEqualTo(200));
                var again = new Statements(app.database())
                        .ofRepeated(
                                () -> assertThat(app.get(path, null).status()).isEqualTo(200));

                assertThat(again).as(path).isEmpty();
            }
        }
    }

    @Test
    void theFirstListOfANewVersionDerivesNothing() throws Exception {
        try (var app = TestApp.start(Stack.POSTGRES, folder)) {
            app.push("acme/fresh", "1.0.0", "public", "# Fresh");

            app.deriveArchives();

            var first = new Statements(app.database()).of(() -> {
                var list = app.get("/apm/v1/packages/acme/fresh/versions", null);
                assertThat(list.text()).contains("1.0.0");
            });
            assertThat(first).noneMatch(statement -> statement.sql().contains("INSERT"));
        }
    }
}
