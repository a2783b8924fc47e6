package dev.sheaf.server.git.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.blob.DiskRoom;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.git.repository.RepositoryCache;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Histories that take longer to derive than a request has time.
class HistoriesTest {
    private static final int ASSETS = 500;

    /// The objects of a version with one file: a commit, a tree and a blob, and with manifests a commit, two trees and
    /// two
    /// blobs.
    private static final int OF_VERSION = 8;

    private static final Duration TIME = Duration.ofSeconds(45);

    @TempDir
    private Path folder;

    /// Time passes with each look at it.
    private Histories slow(TestApp app, CpuPool pool, Duration step) throws IOException {
        var database = app.database();
        var policy = new RetentionPolicy(Duration.ofHours(1), Duration.ofHours(1), null);
        var blobs = new Blobs(database, app.store(), policy, new Blobs.CacheSize(1_000, 1 << 20));
        var time = new AtomicLong();
        return new Histories(
                database,
                new Tags(database),
                new AssetBytes(blobs),
                pool,
                cache(),
                () -> time.addAndGet(step.toNanos()));
    }

    private RepositoryCache cache() throws IOException {
        Path place = Files.createDirectories(folder.resolve("git"));
        return new RepositoryCache(place, DiskRoom.of(place, 0), 100 << 20);
    }

    private long bytesOnDisk() throws IOException {
        try (var files = Files.walk(folder.resolve("git"))) {
            return files.filter(file -> file.toString().endsWith(".pack"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private static BundleSnapshot bundle(TestApp app) {
        return new Bundles(app.database(), new Repositories(app.database()))
                .find(RepositoryName.parse("slow/kit"))
                .orElseThrow();
    }

    /// Versions are derived a hundred at a time.
    @Test
    void theNextHundredVersionsContinueFromTheLastCommit() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"));
                var pool = CpuPool.ofSearches(Duration.ZERO)) {
            for (int i = 0; i <= 100; i++) {
                app.push("slow/kit", "1.0." + i, "private", "version " + i);
            }

            var history = slow(app, pool, Duration.ZERO).of(bundle(app), TIME);

            assertThat(history.commits()).isEqualTo(2 * 101);
            assertThat(history.objects()).isEqualTo(OF_VERSION * 101);
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
    void whatWasDoneInTimeStaysDone() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"));
                var pool = CpuPool.ofSearches(Duration.ZERO)) {
            publish(app);
            var bundle = bundle(app);
            var histories = slow(app, pool, Duration.ofMillis(200)); // so 225 looks at most
            long before = 0;
            for (int round = 0; round < 2; round++) {
                assertThatThrownBy(() -> histories.of(bundle, TIME))
                        .isInstanceOf(ProblemException.class)
                        .hasMessageContaining("the history of slow/kit for git is being made, with 1 of");
                long now = bytesOnDisk();
                assertThat(now).isGreaterThan(before + 150 * 20);
                before = now;
            }

            var history = histories.of(bundle, TIME);

            assertThat(history.objects()).isEqualTo(ASSETS + 2);
            assertThat(history.refs()).containsKeys("HEAD", "refs/heads/main", "refs/tags/1.0.0");
            assertThat(histories.of(bundle, TIME)).isSameAs(history);
        }
    }

    @Test
    void anotherProcessContinuesWithWhatIsOnTheDisk() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"));
                var pool = CpuPool.ofSearches(Duration.ZERO)) {
            app.push("slow/kit", "1.0.0", "private", "one");
            slow(app, pool, Duration.ZERO).of(bundle(app), TIME);
            long before = bytesOnDisk();
            Path killed = onlyRepository().resolve("objects/pack/pack-" + "0".repeat(40) + ".pack");
            Files.writeString(killed, "what a killed process left");
            app.push("slow/kit", "1.0.1", "private", "two");

            var history = slow(app, pool, Duration.ZERO).of(bundle(app), TIME);

            assertThat(history.objects()).isEqualTo(2 * OF_VERSION);
            assertThat(killed).doesNotExist();
            assertThat(bytesOnDisk()).isBetween(before + 1, 2 * before + 200);
        }
    }

    private Path onlyRepository() throws IOException {
        try (var all = Files.list(folder.resolve("git"))) {
            var found = all.toList();
            assertThat(found).hasSize(1);
            return found.getFirst();
        }
    }

    @Test
    void aStateThatDoesNotFitItsFilesIsNotUsed() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"));
                var pool = CpuPool.ofSearches(Duration.ZERO)) {
            app.push("slow/kit", "1.0.0", "private", "one");
            var refs = slow(app, pool, Duration.ZERO).of(bundle(app), TIME).refs();
            for (String change : new String[] {"", "sheaf-git 1\nend 0\n", "sheaf-git 2\n"}) {
                Files.writeString(onlyRepository().resolve("versions"), change);

                var again = slow(app, pool, Duration.ZERO).of(bundle(app), TIME);

                assertThat(again.refs().toString()).as(change).isEqualTo(refs.toString());
                assertThat(again.objects()).isEqualTo(OF_VERSION);
            }
        }
    }

    @Test
    void whatIsPurgedLeavesTheDisk() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"));
                var pool = CpuPool.ofSearches(Duration.ZERO)) {
            app.push("slow/kit", "1.0.0", "private", "one");
            app.push("slow/kit", "1.0.1", "private", "two");
            var histories = slow(app, pool, Duration.ZERO);
            histories.of(bundle(app), TIME);
            histories.forgetPurged();
            assertThat(bytesOnDisk()).isPositive();

            app.send(
                    "DELETE",
                    "/v1/namespaces/slow/bundles/kit/versions/1.0.0?purge=true&reason=secret",
                    app.admin(),
                    null);
            histories.forgetPurged();

            assertThat(bytesOnDisk()).isZero();
            assertThat(histories.of(bundle(app), TIME).commits()).isEqualTo(2);
        }
    }
}
