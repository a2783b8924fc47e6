package dev.sheaf.server.registry.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.bundle.HoldRows;
import dev.sheaf.server.registry.RegistryFixture;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Together;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;

@EveryStack
class BlobsTest extends RegistryFixture {
    @Test
    void smallContentStandsInTheDatabaseAndLargeContentInTheStore() throws IOException {
        var repository = repository("acme/kit");
        for (int size : new int[] {0, 1, StagedBlob.INLINE_MAX, StagedBlob.INLINE_MAX + 1, 300_000}) {
            var bytes = random(size);

            var blob = push(repository, bytes);

            assertThat(blob.object() == null).isEqualTo(size <= StagedBlob.INLINE_MAX);
            for (var process : new Node[] {node, restart()}) {
                var content = process.blobs().open(blob);
                assertThat(content.length()).isEqualTo(size);
                assertThat(content.bytes()).as("seed %d", seed).isEqualTo(bytes);
            }
        }
        assertThat(stored()).hasSize(2);
    }

    @Test
    void aPartOfTheContentCanBeRead() throws IOException {
        var repository = repository("acme/kit");
        for (int size : new int[] {20_000, 200_000}) {
            var bytes = random(size);
            var out = new ByteArrayOutputStream();

            node.blobs().open(push(repository, bytes)).writeTo(out, 10_000, 7_000);

            assertThat(out.toByteArray()).isEqualTo(Arrays.copyOfRange(bytes, 10_000, 17_000));
        }
    }

    @Test
    void aBlobOfAnotherRepositoryIsNotThere() {
        var blob = push(repository("acme/kit"), random(100));

        assertThat(node.blobs().find(repository("acme/other"), blob.digest())).isEmpty();
        assertThat(node.blobs().find(repository("other/kit"), blob.digest())).isEmpty();
    }

    @Test
    void theSecondUploadOfADigestKeepsTheFirstsBytesAndQueuesItsOwn() throws IOException {
        var bytes = random(100_000);
        var first = push(repository("acme/kit"), bytes);
        var second = push(repository("acme/other"), bytes);

        assertThat(second).isEqualTo(first);
        assertThat(stored()).hasSize(2);
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(1);
        assertThat(node.blobs().open(first).bytes()).isEqualTo(bytes);
        assertThat(rows("object_deletion")).isZero();
    }

    @Test
    void concurrentUploadsOfOneDigestLeaveOneObject() throws Exception {
        var bytes = random(100_000);
        var repository = repository("acme/kit");

        var ids = Together.run(16, i -> () -> push(repository, bytes).id());

        node.housekeeping().run(new TaskRun(false));
        assertThat(ids.stream().distinct()).hasSize(1);
        assertThat(stored()).hasSize(1);
        assertThat(rows("link")).isEqualTo(1);
    }

    @Test
    void manyTransactionsMayLinkTheSameBlobs() throws Exception {
        var repository = repository("acme/kit");

        Together.run(
                8,
                i -> () -> database.write(tx -> {
                    var staged = new ArrayList<StagedBlob>();
                    for (int j = 0; j < 20; j++) {
                        staged.add(node.blobs().stage(new byte[] {(byte) j}));
                    }
                    Collections.shuffle(staged, new Random(seed + i));
                    node.blobs().link(tx, repository, staged);
                    return true;
                }));

        assertThat(rows("blob")).isEqualTo(20);
    }

    @Test
    void whatWasStagedForAFailedTransactionIsDiscarded() throws IOException {
        var staged = node.blobs().stage(random(100_000));

        node.blobs().discard(staged);

        assertThat(stored()).isEmpty();
    }

    @Test
    void whatARowNamesIsNotDiscarded() {
        var bytes = random(100_000);
        var repository = repository("acme/kit");
        var staged = node.blobs().stage(bytes);
        database.write(tx -> node.blobs().link(tx, repository, staged));

        node.blobs().discard(staged);

        var blob = node.blobs().find(repository, staged.digest()).orElseThrow();
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(bytes);
    }

    @Test
    void aStreamMustHaveTheAnnouncedDigestAndSize() throws IOException {
        for (int size : new int[] {100, 100_000}) {
            var bytes = random(size);
            var wrong = Digest.sha256(random(size + 1));
            assertProblem(
                    Problem.DigestMismatch.class,
                    () -> node.blobs().stage(new ByteArrayInputStream(bytes), wrong, SizeLimit.upTo(size)));
            assertProblem(
                    Problem.PayloadTooLarge.class,
                    () -> node.blobs()
                            .stage(new ByteArrayInputStream(bytes), Digest.sha256(bytes), SizeLimit.upTo(size - 1)));

            var sha512 = Digest.of(Digest.Algorithm.SHA512, bytes);
            var staged = node.blobs().stage(new ByteArrayInputStream(bytes), sha512, SizeLimit.upTo(size));

            assertThat(staged.digest()).isEqualTo(sha512);
        }
        assertThat(stored()).hasSize(1);
    }

    @Test
    void aDamagedBlobIsUnknownUntilItIsUploadedAgain() throws IOException {
        var bytes = random(100_000);
        var repository = repository("acme/kit");
        var other = repository("acme/other");
        var blob = push(repository, bytes);
        push(other, bytes);
        node.housekeeping().run(new TaskRun(false));
        store().overwrite(stored().getFirst(), random(99_999));

        assertProblem(Problem.BlobUnknown.class, () -> node.blobs().open(blob));
        assertThat(node.blobs().find(repository, blob.digest())).isEmpty();
        assertThat(node.blobs().find(other, blob.digest())).isEmpty();

        var healed = push(repository, bytes);
        assertThat(healed.id()).isEqualTo(blob.id());
        assertThat(node.blobs().open(healed).bytes()).isEqualTo(bytes);
        assertThat(node.blobs().find(other, blob.digest())).contains(healed);
        clock.advance(Duration.ofHours(25));
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(1);
    }

    @Test
    void theBytesOfADeletedBlobStayForRunningDownloadsAndThenGo() throws IOException {
        var repository = repository("acme/kit");
        var bytes = random(300_000);
        var old = push(repository, bytes);
        var running = node.blobs().open(old);

        delete(repository, old.digest());

        node.housekeeping().run(new TaskRun(false));
        assertThat(running.bytes()).isEqualTo(bytes);
        assertThat(node.blobs().find(repository, old.digest())).isEmpty();
        var young = push(repository, bytes);
        assertThat(young.id()).isNotEqualTo(old.id());
        assertThat(stored()).hasSize(2);
        clock.advance(keeping().bytes().plusMinutes(1));
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(1);
        assertThat(node.blobs().open(young).bytes()).isEqualTo(bytes);
    }

    @Test
    void aBlobIsDeletedFromOneRepositoryAndNotFromOthers() {
        var first = repository("acme/kit");
        var second = repository("acme/other");
        var digest = push(first, random(40_000)).digest();
        push(second, random(40_000));
        var document = image(null, node.blobs().find(second, digest).orElseThrow());
        database.write(tx -> node.manifests().store(tx, second, document));

        assertProblem(Problem.Conflict.class, () -> delete(second, digest));
        delete(first, digest);

        assertThat(node.blobs().find(first, digest)).isEmpty();
        assertThat(node.blobs().find(second, digest)).isPresent();
        assertThat(rows("object_deletion")).isEqualTo(1); // the copy of the second upload
        assertProblem(Problem.BlobUnknown.class, () -> delete(first, digest));
    }

    private void delete(Repository repository, Digest digest) {
        database.write(tx -> {
            node.blobs().delete(tx, repository, digest, new HoldRows());
            return true;
        });
    }

    @Test
    void aMountNeedsTheBlobInTheSource() {
        var from = repository("acme/kit");
        var to = repository("acme/other");
        var blob = push(from, random(100_000));

        assertThat(node.uploads().mount(to, from, Digest.sha256(new byte[7]))).isFalse();
        assertThat(node.uploads().mount(from, to, blob.digest())).isTrue();
        assertThat(node.blobs().find(to, blob.digest())).contains(blob);
    }
}
