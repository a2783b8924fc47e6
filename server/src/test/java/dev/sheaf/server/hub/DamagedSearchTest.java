package dev.sheaf.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The search index of SQLite contradicts itself: it is built again, and nothing else suffers.
@Timeout(120)
class DamagedSearchTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private static Reply search(TestApp app, String word) {
        return app.get("/v1/hub/bundles?q=" + word, null);
    }

    /// Replaces the record of FTS5 that says where all others are.
    private void damage() throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("sheaf.db"));
                var statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE hub_text_data SET block = x'00000000ffff' WHERE id = 10"))
                    .isEqualTo(1);
        }
    }

    private static void assertWhole(TestApp app) {
        assertThat(app.database().damage().fault()).isEmpty();
        assertThat(app.push("acme/after", "1.0.0", "public", "# After").status())
                .isEqualTo(201);
        assertThat(search(app, "after").text()).contains("\"slug\":\"after\"");
    }

    @Test
    void searchOnDamagedIndexFailsAndNextSucceeds() throws Exception {
        try (var app = TestApp.start(folder)) {
            app.push("acme/needle", "1.0.0", "public", "# Needle");
            damage();

            assertThat(search(app, "needle").status()).isEqualTo(503);

            Eventually.within(SOON, () -> search(app, "needle").text().contains("\"slug\":\"needle\""));
            assertWhole(app);
        }
    }

    @Test
    void pushOnDamagedIndexFailsAndNextSucceeds() throws Exception {
        try (var app = TestApp.start(folder)) {
            app.push("acme/needle", "1.0.0", "public", "# Needle");
            damage();

            assertThat(app.push("acme/other", "1.0.0", "public", "# Other").status())
                    .isEqualTo(503);

            Eventually.within(
                    SOON,
                    () -> app.push("acme/other", "1.0.0", "public", "# Other").status() == 201);
            assertThat(search(app, "needle").text()).contains("\"slug\":\"needle\"");
            assertWhole(app);
        }
    }

    @Test
    void fsckBuildsItAgain() throws Exception {
        try (var app = TestApp.start(folder)) {
            app.push("acme/needle", "1.0.0", "public", "# Needle");
            damage();

            var begun = app.post("/v1/admin/tasks", app.admin(), "{\"task\": \"fsck\"}");
            assertThat(begun.status()).as(begun.text()).isEqualTo(201);
            var ended = app.ended(begun.as(TaskRecord.class).id().toString());

            assertThat(ended.text()).contains("the search index", "it was built again");
            assertThat(search(app, "needle").text()).contains("\"slug\":\"needle\"");
            assertWhole(app);
        }
    }
}
