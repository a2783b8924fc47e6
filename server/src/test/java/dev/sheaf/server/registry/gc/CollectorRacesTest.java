package dev.sheaf.server.registry.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.HoldRows;
import dev.sheaf.server.registry.RacesFixture;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.StoreHooks;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.DamagedContent;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Together;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// The collector against uploads, mounts, downloads and deletes, in both orders.
@EveryStack
class CollectorRacesTest extends RacesFixture {
    // --- HEAD, collect, manifest PUT ---

    @Test
    void whatAHeadFoundIsThereForTheManifest() {
        var repository = repository("acme/kit");
        var blob = push(repository, random(100_000));
        clock.advance(DAY.minus(Duration.ofMinutes(1)));
        assertThat(node.leases().renew(repository, blob)).isTrue();
        clock.advance(Duration.ofMinutes(59));

        assertThat(collect().counts()).isEmpty();

        tag(repository, "word", image(null, blob));
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(random(100_000));
    }

    @Test
    void aHeadDuringTheSweepFindsNothing() throws Exception {
        var repository = repository("acme/kit");
        var blob = push(repository, random(100));
        clock.advance(DAY);

        assertThat(whileOpen(this::sweepLinks, () -> node.leases().renew(repository, blob)))
                .isFalse();
    }

    @Test
    void theSweepPassesOverWhatAHeadIsRenewing() throws Exception {
        var repository = repository("acme/kit");
        var blob = push(repository, random(100));
        clock.advance(DAY);

        var counts = whileOpen(
                tx -> BlobRows.renew(
                        tx,
                        repository.id(),
                        blob.id(),
                        keeping().soon(tx.now()),
                        keeping().leaseEnd(tx)),
                () -> collect().counts());

        assertThat(counts).isEmpty();
        tag(repository, "word", image(null, blob));
    }

    @Test
    void theSweepPassesOverWhatAManifestRefersToThatIsNotCommittedYet() throws Exception {
        var repository = repository("acme/kit");
        var blob = push(repository, random(100_000));
        clock.advance(DAY);

        var counts = whileOpen(
                tx -> tag(tx, repository, "word", image(null, blob)),
                () -> collect().counts());

        assertThat(counts).isEmpty();
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(random(100_000));
    }

    @Test
    void aManifestWhoseBlobIsBeingSweptIsRefusedAndPushedAgainAccepted() throws Exception {
        var repository = repository("acme/kit");
        var blob = push(repository, random(100_000));
        clock.advance(DAY);

        assertProblem(
                Problem.ManifestBlobUnknown.class,
                () -> whileOpen(this::sweepLinks, () -> store(repository, image(null, blob))));

        var again = push(repository, random(100_000));
        store(repository, image(null, again));
        assertThat(node.blobs().open(again).bytes()).isEqualTo(random(100_000));
    }

    // --- uploads and mounts ---

    @Test
    void anUploadThatEndsDuringTheSweepIsThere() throws Exception {
        var repository = repository("acme/kit");
        push(repository, random(100_000));
        clock.advance(DAY);

        var pushed = whileOpen(this::sweepLinks, () -> push(repository, random(100_000)));

        clock.advance(DAY.minusHours(1));
        collect();
        assertThat(node.blobs().open(pushed).bytes()).isEqualTo(random(100_000));
        assertThat(stored()).hasSize(2);
        clock.advance(Duration.ofHours(1));
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(1);
    }

    @Test
    void theSweepPassesOverWhatAnUploadIsLinking() throws Exception {
        var repository = repository("acme/kit");
        var other = repository("acme/other");
        var blob = push(repository, random(100_000));
        clock.advance(DAY);
        var staged = node.blobs().stage(random(100_000));

        var counts = whileOpen(
                tx -> node.blobs().link(tx, other, staged), () -> collect().counts());

        assertThat(counts).doesNotContainKey("blobsRemoved");
        assertThat(node.blobs().find(other, blob.digest())).contains(blob);
        clock.advance(DAY.minusHours(1));
        collect();
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(random(100_000));
    }

    @Test
    void aMountFromALinkThatIsBeingSweptFails() throws Exception {
        var from = repository("acme/kit");
        var to = repository("acme/other");
        var blob = push(from, random(100_000));
        clock.advance(DAY);

        assertThat(whileOpen(this::sweepLinks, () -> node.uploads().mount(from, to, blob.digest())))
                .isFalse();
        assertThat(holds(to, blob)).isFalse();
    }

    @Test
    void aBlobThatIsBeingMountedStays() throws Exception {
        var from = repository("acme/kit");
        var to = repository("acme/other");
        var blob = push(from, random(100_000));
        clock.advance(DAY);

        whileOpen(tx -> node.blobs().mount(tx, from, to, blob.digest()), this::collect);
        collect();

        assertThat(node.blobs().find(to, blob.digest())).contains(blob);
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(random(100_000));
    }

    @Test
    void aReUploadWhileTheOldObjectIsBeingDeletedKeepsItsOwn() throws Exception {
        var repository = repository("acme/kit");
        push(repository, random(100_000));
        clock.advance(DAY);
        collect();
        clock.advance(DAY);
        var hooked = StoreHooks.before("delete", node.store(), () -> push(repository, random(100_000)));

        new DeletionQueue(database, hooked).run(new dev.sheaf.engine.work.TaskRun(false));

        var blob = node.blobs()
                .find(repository, dev.sheaf.model.Digest.sha256(random(100_000)))
                .orElseThrow();
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(random(100_000));
        assertThat(stored()).hasSize(1);
    }

    @Test
    void ofTwoUploadsThatHealABlobOneObjectIsLeft() throws Exception {
        var repository = repository("acme/kit");
        new DamagedContent(database).report(push(repository, random(100_000)), "for a test");
        var first = node.blobs().stage(random(100_000));

        whileOpen(tx -> node.blobs().link(tx, repository, first), () -> push(repository, random(100_000)));

        clock.advance(DAY);
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(1);
    }

    @Test
    void aRunningDownloadHasItsBytesUntilTheGraceEnds() throws IOException {
        var repository = repository("acme/kit");
        var content = node.blobs().open(push(repository, random(100_000)));
        clock.advance(DAY);
        collect();
        clock.advance(DAY.minusMinutes(1));
        collect();

        assertThat(content.bytes()).isEqualTo(random(100_000));

        clock.advance(Duration.ofMinutes(1));
        collect();
        assertThat(stored()).isEmpty();
    }

    // --- many at once ---

    @Test
    void collectorsShareTheWork() throws Exception {
        var repository = repository("acme/kit");
        database.write(tx -> {
            for (int i = 0; i < 5 * CollectorSweep.BATCH; i++) {
                node.blobs().link(tx, repository, node.blobs().stage(("blob " + i).getBytes()));
            }
            return true;
        });
        clock.advance(DAY);

        var reports = Together.run(4, i -> () -> collect());
        long removed = collect().counts().getOrDefault("linksRemoved", 0L);
        for (var report : reports) {
            removed += report.counts().getOrDefault("linksRemoved", 0L);
        }

        assertThat(removed).isEqualTo(5L * CollectorSweep.BATCH);
        assertThat(rows("link") + rows("blob")).isZero();
    }

    @Test
    void deletesAndCollectorsThatShareLayersNeverWaitForEachOther() throws Exception {
        var layers = new ArrayList<byte[]>();
        for (int i = 0; i < 20; i++) {
            layers.add(random(40_000 + i));
        }
        var repositories = new ArrayList<Repository>();
        var images = new ArrayList<ManifestDocument>();
        for (int i = 0; i < 6; i++) {
            var repository = repository("acme/kit" + i);
            var image = image(
                    null, layers.stream().map(bytes -> push(repository, bytes)).toArray(BlobRecord[]::new));
            store(repository, image);
            repositories.add(repository);
            images.add(image);
        }
        clock.advance(DAY);

        Together.run(8, i -> () -> {
            if (i >= 6) {
                return collect().done();
            }
            takeOut(repositories.get(i), images.get(i));
            return layers.stream()
                    .filter(bytes -> takeOut(repositories.get(i), bytes))
                    .count();
        });
        collect();

        assertThat(rows("manifest") + rows("link") + rows("blob")).isZero();
        clock.advance(DAY);
        collect();
        assertThat(stored()).isEmpty();
    }

    private void takeOut(Repository repository, ManifestDocument image) {
        database.write(tx -> {
            var found = node.manifests().find(tx, repository, image.digest()); // or a collector was faster
            found.ifPresent(manifest -> node.manifests().delete(tx, repository, manifest));
            return found;
        });
    }

    private boolean takeOut(Repository repository, byte[] bytes) {
        try {
            database.write(tx -> {
                node.blobs().delete(tx, repository, dev.sheaf.model.Digest.sha256(bytes), new HoldRows());
                return true;
            });
            return true;
        } catch (ProblemException e) {
            assertThat(e.problem()).isInstanceOf(Problem.BlobUnknown.class); // a collector was faster
            return false;
        }
    }
}
