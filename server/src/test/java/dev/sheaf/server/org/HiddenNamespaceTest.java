package dev.sheaf.server.org;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiddenNamespaceTest {
    @TempDir
    private Path folder;

    /// Its owner uses it, so the node keeps its row. A stranger must not find out by an answer that comes sooner.
    @Test
    void aHiddenNamespaceCostsAStrangerWhatAMissingOneCosts() throws Exception {
        try (var app = TestApp.start(Stack.POSTGRES, folder)) {
            app.push("acme/kit", "1.0.0", "private", "---\\nname: kit\\ndescription: Does it.\\n---\\nGo.\\n");
            String stranger = app.secondOrganization("others");
            String hidden = "/v1/namespaces/acme/bundles";
            assertThat(app.get(hidden, app.admin()).status()).isEqualTo(200);
            assertThat(app.get(hidden, stranger).status()).isEqualTo(404);

            int all = statements(app, hidden, stranger);

            assertThat(all).isPositive().isEqualTo(statements(app, "/v1/namespaces/missing/bundles", stranger));
        }
    }

    /// The fewest of some requests: one that comes while the node has not looked for changes asks more.
    private static int statements(TestApp app, String path, String key) {
        return IntStream.range(0, 5)
                .map(_ -> new Statements(app.database())
                        .of(() -> app.get(path, key))
                        .size())
                .min()
                .orElseThrow();
    }
}
