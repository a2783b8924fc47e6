package dev.sheaf.server.registry.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.work.TaskCancelledException;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.StoreHooks;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.DeletionRows;
import dev.sheaf.server.testing.EveryStack;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.UUID;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/// What the collector deletes, and what it does not.
@EveryStack
class CollectorTest extends CollectorFixture {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void whatIsLeasedStaysAndThenGoesWithItsBytes() throws IOException {
        var repository = repository("acme/kit");
        push(repository, random(100_000));
        push(repository, random(100));
        clock.advance(DAY.minus(HOUR));

        assertThat(collect().counts()).isEmpty();

        clock.advance(HOUR);
        var report = collect();
        assertThat(report.counts())
                .containsEntry("linksRemoved", 2L)
                .containsEntry("blobsRemoved", 2L)
                .containsEntry("bytesQueued", 100_000L)
                .containsEntry("bytesFreed", 100L);
        assertThat(report.findings())
                .extracting(TaskRun.Finding::subject)
                .allMatch(subject -> subject.startsWith("acme/kit@sha256:"));
        assertThat(report.findings())
                .extracting(TaskRun.Finding::reason)
                .allMatch(
                        reason -> reason.startsWith("no manifest of the repository refers to it, and its lease ended"))
                .anyMatch(reason -> reason.contains("its bytes are removed after"));
        assertThat(rows("blob") + rows("link") + rows("blob_content")).isZero();
        assertThat(stored()).hasSize(1);

        clock.advance(DAY);
        assertThat(collect().counts()).containsEntry("bytesFreed", 100_000L).containsEntry("objectsRemoved", 1L);
        assertThat(stored()).isEmpty();
        assertThat(rows("object_deletion")).isZero();
    }

    @Test
    void aBlobStaysWithTheRepositoriesThatStillNeedIt() throws IOException {
        var first = repository("acme/kit");
        var second = repository("acme/other");
        var blob = push(first, random(100_000));
        node.uploads().mount(first, second, blob.digest());
        tag(second, "word", image(null, blob));
        clock.advance(DAY);

        var report = collect();

        assertThat(report.counts()).containsEntry("linksRemoved", 1L).doesNotContainKey("blobsRemoved");
        assertThat(node.blobs().find(first, blob.digest())).isEmpty();
        var kept = node.blobs().find(second, blob.digest()).orElseThrow();
        assertThat(node.blobs().open(kept).bytes()).isEqualTo(random(100_000));
    }

    @Test
    void versionsTagsIndexesAndSubjectsKeepManifests() {
        var repository = repository("acme/kit");
        var versioned = image(null, push(repository, random(1)));
        var tagged = image(null, push(repository, random(2)));
        var listed = image(null, push(repository, random(3)));
        var referrer = image(tagged.digest(), push(repository, random(4)));
        var dangling = image(Digest.sha256(random(99)), push(repository, random(5)));
        var untagged = image(null, push(repository, random(6)));
        publish(repository, versioned);
        tag(repository, "word", tagged);
        store(repository, listed);
        tag(repository, "list", index(listed));
        store(repository, referrer);
        store(repository, dangling);
        store(repository, untagged);

        for (int i = 0; i < 20; i++) {
            clock.advance(DAY.multipliedBy(10));
            assertThat(collect().counts()).isEmpty();
        }

        assertThat(rows("manifest")).isEqualTo(7);
    }

    @Test
    void whatADeletedIndexListedGoesAfterALease() {
        var repository = repository("acme/kit");
        var child = image(null, push(repository, random(1)));
        var tagged = image(null, push(repository, random(2)));
        var shared = image(null, push(repository, random(3)));
        store(repository, child);
        tag(repository, "word", tagged);
        store(repository, shared);
        var index = index(child, tagged, shared);
        store(repository, index);
        store(repository, index(shared));
        clock.advance(DAY.multipliedBy(3));
        collect();

        delete(repository, index);
        clock.advance(DAY.minus(HOUR));
        assertThat(collect().counts()).isEmpty();
        clock.advance(HOUR);
        var report = collect();

        assertThat(report.counts()).containsEntry("manifestsRemoved", 1L).containsEntry("linksRemoved", 1L);
        assertThat(report.findings().getFirst().subject()).isEqualTo("acme/kit@" + child.digest());
        assertThat(report.findings().getFirst().reason()).startsWith("the index that listed it was deleted at ");
        assertThat(node.manifests().find(repository, child.digest())).isEmpty();
        assertThat(node.manifests().find(repository, tagged.digest())).isPresent();
        assertThat(node.manifests().find(repository, shared.digest())).isPresent();
    }

    @Test
    void referrersGoALeaseAfterTheirSubject() {
        var repository = repository("acme/kit");
        var subject = image(null, push(repository, random(1)));
        store(repository, subject);
        var signature = image(subject.digest(), push(repository, random(2)));
        store(repository, signature);
        var ofSignature = image(signature.digest(), push(repository, random(3)));
        store(repository, ofSignature);
        var kept = image(subject.digest(), push(repository, random(4)));
        tag(repository, "sbom", kept);
        clock.advance(DAY.multipliedBy(3));
        collect();

        delete(repository, subject);

        clock.advance(DAY);
        assertThat(collect().counts()).containsEntry("manifestsRemoved", 1L);
        assertThat(node.manifests().find(repository, signature.digest())).isEmpty();
        clock.advance(DAY);
        assertThat(collect().counts()).containsEntry("manifestsRemoved", 1L);
        assertThat(node.manifests().find(repository, ofSignature.digest())).isEmpty();
        assertThat(node.manifests().find(repository, kept.digest())).isPresent();
    }

    @Test
    void aSubjectThatComesBackKeepsItsReferrers() {
        var repository = repository("acme/kit");
        var subject = image(null, push(repository, random(1)));
        store(repository, subject);
        var signature = image(subject.digest(), push(repository, random(2)));
        store(repository, signature);
        clock.advance(DAY.multipliedBy(3));
        delete(repository, subject);
        clock.advance(HOUR);
        push(repository, random(1));
        store(repository, subject);

        clock.advance(DAY.multipliedBy(30));
        collect();

        assertThat(node.manifests().find(repository, signature.digest())).isPresent();
    }

    @Test
    void aDryRunSaysTheSameAndChangesNothing() throws IOException {
        var repository = repository("acme/kit");
        var other = repository("acme/other");
        var layer = push(repository, random(100_000));
        var sharedLayer = push(repository, random(200_000));
        node.uploads().mount(repository, other, sharedLayer.digest());
        tag(other, "word", image(null, sharedLayer));
        var child = image(null, layer, sharedLayer);
        var sibling = image(null, layer);
        store(repository, child);
        store(repository, sibling);
        var index = index(child, sibling);
        store(repository, index);
        push(repository, random(7));
        clock.advance(DAY.multipliedBy(3));
        delete(repository, index);
        clock.advance(DAY.multipliedBy(2));
        var stored = stored();

        var dry = collect(new TaskRun(true));

        assertThat(dry.counts())
                .containsEntry("manifestsRemoved", 2L)
                .containsEntry("linksRemoved", 3L)
                .containsEntry("blobsRemoved", 2L)
                .containsEntry("bytesQueued", 100_000L);
        assertThat(stored()).isEqualTo(stored);
        assertThat(collect(new TaskRun(true)).counts()).isEqualTo(dry.counts());
        var real = collect();
        assertThat(real.counts()).isEqualTo(dry.counts());
        assertThat(real.findings())
                .extracting(TaskRun.Finding::subject)
                .containsExactlyInAnyOrderElementsOf(
                        dry.findings().stream().map(TaskRun.Finding::subject).toList());
    }

    @Test
    void aDryRunKnowsWhatIsBeingEdited() {
        var repository = repository("acme/kit");
        var edited = push(repository, random(100_000));
        var child = image(null, edited, push(repository, random(200_000)));
        store(repository, child);
        var index = index(child);
        store(repository, index);
        edit(repository, edited);
        clock.advance(DAY.multipliedBy(3));
        delete(repository, index);
        clock.advance(DAY.multipliedBy(2));

        var dry = collect(new TaskRun(true));

        assertThat(dry.counts()).containsEntry("manifestsRemoved", 1L).containsEntry("linksRemoved", 1L);
        assertThat(collect().counts()).isEqualTo(dry.counts());
    }

    private void edit(Repository repository, BlobRecord blob) {
        String bundle = UUID.randomUUID().toString();
        database.write(tx -> tx.handle().execute("""
                        INSERT INTO bundle (id, repository_id, name, source_type, created_at)
                        VALUES (?, ?, 'x', 'x', 0)
                        """, bundle, repository.id()));
        database.write(
                tx -> tx.handle().execute("""
                        INSERT INTO working_asset (id, bundle_id, path, folded, asset_type, media_type, repository_id,
                                                   blob_id, created_at)
                        VALUES (?, ?, 'a', 'a', 'other', 'a/b', ?, ?, 0)
                        """, UUID.randomUUID().toString(), bundle, repository.id(), blob.id()));
    }

    @Test
    void whatCannotBeRemovedHoldsNothingElseUp() throws IOException {
        var repository = repository("acme/kit");
        var blobs = new ArrayList<BlobRecord>();
        for (int i = 0; i < 4; i++) {
            blobs.add(push(repository, random(100_000 + i)));
        }
        clock.advance(DAY);
        collect();
        clock.advance(DAY);
        String stuck = nameOf(blobs.getFirst());
        var store = StoreHooks.failing("delete", node.store(), blobs.getFirst().object());

        new UploadExpiry(database, store, node.uploads()).run(new TaskRun(false));

        assertThat(stored()).containsExactly(stuck);
        assertThat(rows("object_deletion")).isEqualTo(1);
        clock.advance(HOUR);
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).isEmpty();
    }

    @Test
    void aRunThatIsStoppedHasDoneWholeBatches() {
        var repository = repository("acme/kit");
        for (int i = 0; i < 2 * CollectorSweep.BATCH + 10; i++) {
            push(repository, ("blob " + i).getBytes());
        }
        clock.advance(DAY);
        var run = new TaskRun(false);
        run.cancel();

        Assertions.assertThatThrownBy(() -> node.collector().run(run)).isInstanceOf(TaskCancelledException.class);

        assertThat(rows("link")).isEqualTo(2 * CollectorSweep.BATCH + 10);
        assertThat(collect().counts()).containsEntry("linksRemoved", 2L * CollectorSweep.BATCH + 10);
        assertThat(rows("blob")).isZero();
    }

    @Test
    void theLinksOfADeletedManifestGoAtOnceThoughTheyWereNotToBeLookedAtForDays() {
        var repository = repository("acme/kit");
        var image = image(null, push(repository, random(1)), push(repository, random(2)));
        store(repository, image);
        clock.advance(DAY);
        collect();
        clock.advance(DAY);

        delete(repository, image);

        assertThat(collect().counts()).containsEntry("linksRemoved", 2L);
    }

    @Test
    void whatSomethingUnknownRefersToStays() {
        var repository = repository("acme/kit");
        var blob = push(repository, random(1));
        push(repository, random(2));
        database.write(tx -> tx.handle()
                .execute("CREATE TABLE draft (repository_id BIGINT, blob_id BIGINT,"
                        + " FOREIGN KEY (repository_id, blob_id) REFERENCES link (repository_id, blob_id))"));
        database.write(tx -> tx.handle().execute("INSERT INTO draft VALUES (?, ?)", repository.id(), blob.id()));
        clock.advance(DAY);

        assertThat(collect().counts()).containsEntry("linksRemoved", 1L);

        assertThat(node.blobs().find(repository, blob.digest())).isPresent();
    }

    @Test
    void bytesThatARowNamesAreNeverRemoved() throws IOException {
        var blob = push(repository("acme/kit"), random(100_000));
        database.write(tx -> {
            DeletionRows.seen(tx, blob, tx.now(), null, "a mistake");
            return true;
        });

        node.housekeeping().run(new TaskRun(false));

        assertThat(rows("object_deletion")).isZero();
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(random(100_000));
    }

    /// The clock was set back after it began.
    @Test
    void aRunEndsAlthoughWhatItSeesIsDueAgain() {
        var repository = repository("acme/kit");
        push(repository, random(1));
        store(repository, image(null, push(repository, random(2))));
        var from = new CollectorSweep.From(
                CollectorSweep.Cursor.START, database.now().plus(DAY.multipliedBy(30)));

        for (var sweep : java.util.List.of(new LinkSweep(keeping()), new ManifestSweep(keeping()))) {
            assertThat(database.write(tx -> sweep.collect(tx, from)).next()).isNotNull();
            assertThat(database.write(tx -> sweep.collect(tx, from)).next()).isNull();
        }
    }
}
