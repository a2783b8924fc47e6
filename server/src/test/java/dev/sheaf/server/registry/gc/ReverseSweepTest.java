package dev.sheaf.server.registry.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.bundle.HoldRows;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.StagedBlob;
import dev.sheaf.server.registry.upload.Uploads;
import dev.sheaf.server.testing.EveryStack;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What lies in the blob store and no row names.
@EveryStack
class ReverseSweepTest extends CollectorFixture {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ReverseSweep.Times TIMES = new ReverseSweep.Times(Duration.ofHours(48), Duration.ofDays(7));

    private TaskRun.Report sweep() {
        return sweep(false);
    }

    private TaskRun.Report sweep(boolean dry) {
        var run = new TaskRun(dry);
        new ReverseSweep(database, node.store(), TIMES).run(run);
        return run.report();
    }

    private void strand(int size) {
        node.blobs().stage(random(size));
    }

    @Test
    void whatNoRowNamesIsSeenTwicePutAsideAndRemoved() throws IOException {
        strand(100_000);

        assertThat(sweep().counts()).containsEntry("itemsUnknown", 1L).doesNotContainKey("itemsPutAside");
        clock.advance(TIMES.age().minus(HOUR));
        var early = sweep();
        assertThat(early.counts()).doesNotContainKey("itemsPutAside");
        assertThat(early.findings().getFirst().reason()).contains("a run after this time sets it aside");
        clock.advance(HOUR);
        var dry = sweep(true);
        assertThat(dry.counts()).containsEntry("itemsPutAside", 1L);
        assertThat(sweep().counts()).isEqualTo(dry.counts());
        assertThat(stored()).hasSize(1);
        clock.advance(TIMES.aside().minus(HOUR));
        assertThat(sweep().counts()).doesNotContainKey("itemsRemoved");
        clock.advance(HOUR.multipliedBy(2));
        assertThat(sweep(true).counts()).containsEntry("itemsRemoved", 1L);
        assertThat(stored()).hasSize(1);
        assertThat(sweep().counts()).containsEntry("itemsRemoved", 1L).containsEntry("bytesFreed", 100_000L);
        assertThat(stored()).isEmpty();
        assertThat(rows("stray")).isZero();
    }

    @Test
    void oneRunIsNeverEnough() throws IOException {
        strand(100_000);
        clock.advance(TIMES.age().multipliedBy(2));

        assertThat(sweep().counts()).doesNotContainKey("itemsPutAside");
    }

    @Test
    void whatRowsNameStays() throws IOException {
        var repository = repository("acme/kit");
        var blob = push(repository, random(100_000));
        tag(repository, "word", image(null, blob));
        var deleted = push(repository, random(200_000));
        database.write(tx -> {
            node.blobs().delete(tx, repository, deleted.digest(), new HoldRows());
            return true;
        });
        var begun = node.uploads().begin(repository, caller, Digest.Algorithm.SHA256);
        var target = new Uploads.Target(repository, begun.id(), caller);
        node.uploads().append(target, chunk(random(300_000), 0, 150_000));
        int before = stored().size();

        for (int i = 0; i < 4; i++) {
            assertThat(sweep().counts()).containsEntry("itemsUnknown", 0L).containsEntry("itemsSeen", (long) before);
            clock.advance(TIMES.age());
        }

        assertThat(stored()).hasSize(before);
    }

    /// The object is there and its row is not, for as long as a push may take between the two.
    @Test
    void anUploadInProgressIsNotTouched() throws IOException {
        var repository = repository("acme/kit");
        var staged = node.blobs().stage(random(100_000));
        sweep();
        clock.advance(TIMES.age().minus(HOUR));
        sweep();

        database.write(tx -> node.blobs().link(tx, repository, staged));
        clock.advance(HOUR);

        assertThat(sweep().counts()).containsEntry("itemsUnknown", 0L).doesNotContainKey("itemsPutAside");
        assertThat(rows("stray")).isZero();
        var blob = node.blobs().find(repository, staged.digest()).orElseThrow();
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(random(100_000));
    }

    @Test
    void whatAnOlderDatabaseDoesNotKnowComesBackWithTheNewerOne() throws IOException {
        var repository = repository("acme/kit");
        var old = push(repository, random(100_000));
        var young = push(repository, random(200_000));
        tag(repository, "old", image(null, old));
        var record = forget(repository, young);
        sweep();
        clock.advance(TIMES.age());
        assertThat(sweep().counts()).containsEntry("itemsPutAside", 1L);
        assertThat(node.blobs().open(old).bytes()).isEqualTo(random(100_000));

        database.write(tx -> {
            BlobRows.insert(tx, List.of(record));
            var row = BlobRows.hold(tx, List.of(young.digest().toString())).getFirst();
            BlobRows.link(tx, repository.id(), List.of(row.blob()), keeping().leaseEnd(tx));
            return true;
        });

        var back = node.blobs().find(repository, young.digest()).orElseThrow();
        assertThat(node.blobs().open(back).bytes()).isEqualTo(random(200_000));
        clock.advance(TIMES.aside().multipliedBy(2));
        sweep();
        clock.advance(TIMES.aside().multipliedBy(2));
        sweep();
        assertThat(node.blobs().open(back).bytes()).isEqualTo(random(200_000));
    }

    @Test
    void whatAnOlderDatabaseNeedsAndIsGoneIsUnknownUntilItIsPushedAgain() throws IOException {
        var repository = repository("acme/kit");
        var blob = push(repository, random(100_000));
        var image = image(null, blob);
        tag(repository, "word", image);
        node.store().delete(java.util.Objects.requireNonNull(blob.object()));
        clock.advance(Duration.ofDays(3));
        collect();
        sweep();

        assertProblem(Problem.BlobUnknown.class, () -> node.blobs().open(blob));
        assertThat(node.blobs().find(repository, blob.digest())).isEmpty();

        push(repository, random(100_000));
        assertThat(node.blobs().open(blobNow(repository, blob)).bytes()).isEqualTo(random(100_000));
        assertThat(node.manifests().find(repository, "word")).isPresent();
    }

    private BlobRecord blobNow(Repository repository, BlobRecord blob) {
        return node.blobs().find(repository, blob.digest()).orElseThrow();
    }

    @Test
    void nothingIsTouchedWhereTheDatabaseKnowsNextToNothing() throws IOException {
        for (int i = 0; i < 110; i++) {
            strand(40_000 + i);
        }
        push(repository("acme/kit"), random(50_000));
        sweep();
        clock.advance(TIMES.age());

        var report = sweep();

        assertThat(report.counts()).containsEntry("itemsUnknown", 110L).doesNotContainKey("itemsPutAside");
        assertThat(report.findings().getFirst().reason()).contains("check that this is the right database");
        assertThat(stored()).hasSize(111);
    }

    /// What a database from before the push would hold of it.
    private StagedBlob.Stored forget(Repository repository, BlobRecord blob) {
        database.write(tx -> {
            BlobRows.unlink(tx, repository.id(), blob.id());
            BlobRows.deleteUnlinked(tx, blob.id());
            Repositories.announce(tx, repository.name());
            return true;
        });
        return new StagedBlob.Stored(blob.digest(), blob.size(), java.util.Objects.requireNonNull(blob.object()));
    }
}
