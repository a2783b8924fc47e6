package dev.sheaf.server.git.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Histories that take longer to derive than a request has time.
class HistoriesTest {
    private static final int ASSETS = 500;
    private static final Duration TIME = Duration.ofSeconds(45);

    @TempDir
    private Path folder;

    /// Time passes with each look at it.
    private static Histories slow(TestApp app, CpuPool cpu, Duration step) {
        var database = app.database();
        var policy = new RetentionPolicy(Duration.ofHours(1), Duration.ofHours(1), null);
        var blobs = new Blobs(database, app.store(), policy, new Blobs.CacheSize(1_000, 1 << 20));
        var time = new AtomicLong();
        return new Histories(
                database, new Tags(database), new AssetBytes(blobs), cpu, () -> time.addAndGet(step.toNanos()));
    }

    private static Snapshot bundle(TestApp app) {
        return new Bundles(app.database(), new Repositories(app.database()))
                .find(RepositoryName.parse("slow/kit"))
                .orElseThrow();
    }

    /// Versions are derived a hundred at a time.
    @Test
    void theNextHundredVersionsContinueFromTheLastCommit() {
        try (var app = TestApp.start(folder);
                var cpu = new CpuPool(2)) {
            for (int i = 0; i <= 100; i++) {
                app.push("slow/kit", "1.0." + i, "private", "version " + i);
            }

            var history = slow(app, cpu, Duration.ZERO).of(bundle(app), TIME);

            assertThat(history.commits()).isEqualTo(101);
            assertThat(app.database().<Long>read(tx -> tx.number("""
                                    SELECT count(*) FROM git_commit c JOIN git_commit p ON p.id = c.parent""")))
                    .as("all but the first have a parent")
                    .isEqualTo(100);
        }
    }

    private static void publish(TestApp app) {
        var assets = new StringJoiner(", ");
        for (int i = 0; i < ASSETS; i++) {
            assets.add("{\"logicalPath\": \"%d.md\", \"contentText\": \"asset %d\"}".formatted(i, i));
        }
        var reply = app.post("/v1/namespaces/slow/bundles/kit:push", app.admin(), """
                {"name": "Kit", "version": "1.0.0", "manifest": [%s]}""".formatted(assets));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    @Test
    void whatWasDoneInTimeStaysDone() {
        try (var app = TestApp.start(folder);
                var cpu = new CpuPool(2)) {
            publish(app);
            var bundle = bundle(app);
            var histories = slow(app, cpu, Duration.ofMillis(200)); // so 225 looks at most
            long before = 0;
            for (int round = 0; round < 2; round++) {
                assertThatThrownBy(() -> histories.of(bundle, TIME))
                        .isInstanceOf(ProblemException.class)
                        .hasMessageContaining("the history of slow/kit for git is being made, with 1 of");
                long now = app.database().<Long>read(tx -> tx.number("SELECT count(*) FROM git_object"));
                assertThat(now).isGreaterThan(before + 150);
                before = now;
            }

            var history = histories.of(bundle, TIME);

            assertThat(history.objects()).isEqualTo(ASSETS + 2);
            assertThat(history.refs()).containsKeys("HEAD", "refs/heads/main", "refs/tags/1.0.0");
            assertThat(histories.of(bundle, TIME)).isSameAs(history);
        }
    }
}
