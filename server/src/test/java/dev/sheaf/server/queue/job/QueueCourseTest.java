package dev.sheaf.server.queue.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// Jobs are counted in the slot in which they came or ended.
@EveryStack
class QueueCourseTest {
    private static final String API = "/v1/organizations/default/queues";

    @Parameter
    private Stack stack;

    @Test
    void jobsAreCountedInTheirSlots(@TempDir Path folder) {
        try (var app = TestApp.start(stack, folder)) {
            var queue = UUID.fromString(app.post(API, app.admin(), "{\"name\": \"Work\", \"slug\": \"work\"}")
                    .json()
                    .get("id")
                    .stringValue());
            for (int i = 0; i < 3; i++) {
                app.post(API + "/work/jobs", app.admin(), "{}");
            }
            app.database().write(tx -> tx.change("""
                    UPDATE job SET status = 'failed', completed_at = :at
                    WHERE id = (SELECT id FROM job WHERE queue_id = :queue ORDER BY id LIMIT 1)
                    """, "at", tx.now().minus(Duration.ofMinutes(40)), "queue", queue));
            var row = app.database().read(tx -> QueueRows.find(tx, queue).orElseThrow());

            var course = new QueueStatistics(app.database()).course(row, Duration.ofHours(1), 4);

            assertThat(course.enqueued()).containsExactly(0L, 0L, 0L, 3L);
            assertThat(course.finished()).containsExactly(0L, 1L, 0L, 0L);
            assertThat(course.failed()).containsExactly(0L, 1L, 0L, 0L);
        }
    }
}
