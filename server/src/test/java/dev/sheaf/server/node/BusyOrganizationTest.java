package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The writers of many bundles of one organization wait in the database; another organization does not wait.
@Timeout(120)
@Tag("programs")
class BusyOrganizationTest {
    private static final int BUNDLES = 12;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void leavesConnectionsToOthers(@TempDir Path folder) throws Exception {
        var flags = TestApp.settings(Stack.POSTGRES, folder, Map.of("database-connections", "8"));
        try (var app = TestApp.start(Stack.POSTGRES, folder, InstantSource.system(), flags);
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var locker = DriverManager.getConnection(
                        flags.get("database-url"), flags.get("database-user"), flags.get("database-password"))) {
            String other = app.secondOrganization("globex");
            app.post("/v1/organizations/globex/namespaces", other, "{\"handle\": \"globex\"}");
            for (int i = 0; i < BUNDLES; i++) {
                app.push("acme/kit-" + i, "1.0.0", "public", "text");
            }
            locker.setAutoCommit(false);
            try (var statement = locker.createStatement()) {
                statement.execute("SELECT 1 FROM repository FOR UPDATE");
            }
            var slow = new ArrayList<Future<Reply>>();
            for (int i = 0; i < BUNDLES; i++) {
                String name = "acme/kit-" + i;
                slow.add(threads.submit(() -> app.push(name, "1.1.0", "public", "more")));
            }
            Eventually.within(LIMIT, () -> app.database().busy() == 6);

            for (int i = 0; i < 10; i++) {
                var pushed = app.post("/v1/namespaces/globex/bundles/tool:push", other, """
                        {"name": "Tool", "visibility": "private", "version": "1.%d.0",
                         "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "text"}]}""".formatted(i));
                assertThat(pushed.status()).isEqualTo(201);
                assertThat(app.get("/v1/namespaces/globex/bundles/tool/versions", other)
                                .status())
                        .isEqualTo(200);
            }

            locker.rollback();
            for (var one : slow) {
                assertThat(one.get().status()).isIn(201, 503); // 503: after five seconds without a connection
            }
        }
    }
}
