package dev.sheaf.server.registry.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.registry.RegistryFixture;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.StagedBlob;
import dev.sheaf.server.registry.content.UploadRecord;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Together;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@EveryStack
class UploadsTest extends RegistryFixture {
    private static final InputStream BROKEN = new InputStream() {
        @Override
        public int read() throws IOException {
            throw new IOException("the connection broke");
        }
    };

    @Test
    void chunksOfAnySizeMakeTheBlobWhicheverNodeTakesThem() throws IOException {
        var repository = repository("acme/kit");
        var random = new Random(seed);
        for (int size : new int[] {0, 1, 40, 32_768, 32_769, 300_000}) {
            var bytes = random(size);
            for (var algorithm : Digest.Algorithm.values()) {
                var target = begin(repository);
                int written = 0;
                while (written < size && random.nextInt(5) > 0) {
                    int end = written + random.nextInt(1, size - written + 1);
                    var process = random.nextBoolean() ? node : restart();
                    process.uploads().append(target, chunk(bytes, written, end));
                    written = end;
                }
                var digest = Digest.of(algorithm, bytes);

                (random.nextBoolean() ? node : restart()).uploads().finish(target, chunk(bytes, written, size), digest);

                var blob = node.blobs().find(repository, digest).orElseThrow();
                assertThat(node.blobs().open(blob).bytes()).as("seed %d", seed).isEqualTo(bytes);
                assertThat(blob.object() == null).isEqualTo(size <= StagedBlob.INLINE_MAX);
                assertProblem(Problem.UploadUnknown.class, () -> node.uploads().status(target));
            }
        }
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(4);
    }

    @Test
    void aChunkOutOfOrderIsRefusedAndTheUploadGoesOn() throws IOException {
        var repository = repository("acme/kit");
        var bytes = random(100_000);
        var target = begin(repository);
        node.uploads().append(target, chunk(bytes, 0, 40_000));

        for (int start : new int[] {0, 39_999, 40_001, 80_000}) {
            assertThatThrownBy(() -> node.uploads().append(target, chunk(bytes, start, 90_000)))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            e -> assertThat(e.problem())
                                    .isEqualTo(new Problem.UploadRangeInvalid(
                                            target.id().toString(), 40_000)));
            assertProblem(
                    Problem.UploadRangeInvalid.class,
                    () -> node.uploads().finish(target, chunk(bytes, start, 100_000), Digest.sha256(bytes)));
        }

        assertThat(node.uploads().status(target).written()).isEqualTo(40_000);
        node.uploads().finish(target, chunk(bytes, 40_000, 100_000), Digest.sha256(bytes));
        assertThat(node.blobs().find(repository, Digest.sha256(bytes))).isPresent();
    }

    @Test
    void aChunkThatBreaksOffLeavesWhatCame() throws IOException {
        var repository = repository("acme/kit");
        var bytes = random(200_000);
        var target = begin(repository);
        node.uploads().append(target, chunk(bytes, 0, 50_000));
        var broken = new SequenceInputStream(new ByteArrayInputStream(bytes, 50_000, 70_000), BROKEN);

        assertThatThrownBy(() -> node.uploads().append(target, UploadChunk.of(null, broken)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> node.uploads().finish(target, UploadChunk.of(null, BROKEN), Digest.sha256(bytes)))
                .isInstanceOf(IOException.class);

        assertThat(restart().uploads().status(target).written()).isEqualTo(120_000);
        node.uploads().append(target, chunk(bytes, 120_000, 130_000));
        node.uploads().finish(target, chunk(bytes, 130_000, 200_000), Digest.sha256(bytes));
        var blob = node.blobs().find(repository, Digest.sha256(bytes)).orElseThrow();
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(bytes);
    }

    @Test
    void bytesBeyondTheCommittedOffsetCountForNothingAfterACrash() throws IOException {
        var repository = repository("acme/kit");
        var bytes = random(200_000);
        var target = begin(repository);
        node.uploads().append(target, chunk(bytes, 0, 50_000));
        var draft = draft(target.id());
        node.store().append(draft.draft(), 50_000, new ByteArrayInputStream(random(120_000)));

        var after = restart();
        after.uploads().append(target, chunk(bytes, 50_000, 55_000));
        after.uploads().finish(target, chunk(bytes, 55_000, 200_000), Digest.sha256(bytes));

        var blob = after.blobs().find(repository, Digest.sha256(bytes)).orElseThrow();
        assertThat(after.blobs().open(blob).bytes()).isEqualTo(bytes);
    }

    @Test
    void anUploadWhoseEndWasNotCommittedCanBeEndedAgain() throws IOException {
        var repository = repository("acme/kit");
        var bytes = random(200_000);
        var digest = Digest.sha256(bytes);
        var target = begin(repository);
        node.uploads().append(target, chunk(bytes, 0, 150_000));
        var draft = draft(target.id()).draft();
        node.store().append(draft, 150_000, new ByteArrayInputStream(bytes, 150_000, 50_000));
        node.store().complete(draft, digest, 200_000);

        restart().uploads().finish(target, chunk(bytes, 150_000, 200_000), digest);

        var blob = node.blobs().find(repository, digest).orElseThrow();
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(bytes);
        int leftBehind = isOnBucket() ? 1 : 0; // an object that no row will ever name
        assertThat(stored()).hasSize(1 + leftBehind);
    }

    @Test
    void aWrongDigestEndsTheUploadAndStoresNothing() throws IOException {
        var repository = repository("acme/kit");
        for (int size : new int[] {100, 100_000}) {
            for (int first : new int[] {0, 50}) {
                for (var process : new Node[] {node, restart()}) {
                    var bytes = random(size);
                    var wrong = Digest.sha256(random(size + 1));
                    var target = begin(repository);
                    node.uploads().append(target, chunk(bytes, 0, first));

                    assertProblem(
                            Problem.DigestMismatch.class,
                            () -> process.uploads().finish(target, chunk(bytes, first, size), wrong));

                    assertProblem(
                            Problem.UploadUnknown.class, () -> node.uploads().status(target));
                    assertThat(node.blobs().find(repository, wrong)).isEmpty();
                }
            }
        }
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).isEmpty();
        assertThat(rows("blob")).isZero();
    }

    @Test
    void nobodyElseSeesAnUpload() {
        var repository = repository("acme/kit");
        var target = begin(repository);
        var stranger = new Uploads.Target(repository, target.id(), caller());
        var elsewhere = new Uploads.Target(repository("acme/other"), target.id(), caller);

        for (var wrong : new Uploads.Target[] {stranger, elsewhere}) {
            assertProblem(Problem.UploadUnknown.class, () -> node.uploads().status(wrong));
            assertProblem(Problem.UploadUnknown.class, () -> node.uploads().append(wrong, nothing()));
            assertProblem(Problem.UploadUnknown.class, () -> node.uploads().cancel(wrong));
        }
        assertThat(node.uploads().status(target).written()).isZero();
    }

    @Test
    void ofConcurrentChunksAtOneOffsetOneWins() throws Exception {
        var repository = repository("acme/kit");
        var target = begin(repository);
        var chunks = new byte[8][];
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = random(50_000 + i);
        }

        var won = Together.run(chunks.length, i -> () -> {
            try {
                node.uploads().append(target, chunk(chunks[i], 0, chunks[i].length));
                return i;
            } catch (ProblemException e) {
                return -1;
            }
        });

        assertThat(won).filteredOn(i -> i >= 0).hasSize(1);
        var winner = chunks[won.stream().mapToInt(i -> i).max().orElseThrow()];
        assertThat(node.uploads().status(target).written()).isEqualTo(winner.length);
        node.uploads().finish(target, nothing(), Digest.sha256(winner));
        assertThat(node.blobs().find(repository, Digest.sha256(winner))).isPresent();
    }

    @Test
    void anOffsetThatAnotherNodeMovedIsNotMovedAgain() throws IOException {
        var repository = repository("acme/kit");
        var target = begin(repository);
        var stale = draft(target.id());
        node.uploads().append(target, chunk(random(10), 0, 10));

        boolean moved = database.write(tx -> UploadRows.advance(tx, stale, stale.at(stale.draft(), 20, tx.now())));
        boolean removed = database.write(tx -> UploadRows.remove(tx, stale));

        assertThat(moved).isFalse();
        assertThat(removed).isFalse();
        assertThat(node.uploads().status(target).written()).isEqualTo(10);
    }

    @Test
    void concurrentUploadsOfOneDigestAllSucceed() throws Exception {
        var repository = repository("acme/kit");
        for (int size : new int[] {1_000, 100_000}) {
            var bytes = random(size);
            var digest = Digest.sha256(bytes);

            Together.run(16, i -> () -> {
                var target = begin(repository);
                node.uploads().append(target, chunk(bytes, 0, size / 2));
                node.uploads().finish(target, chunk(bytes, size / 2, size), digest);
                return true;
            });

            var blob = node.blobs().find(repository, digest).orElseThrow();
            assertThat(node.blobs().open(blob).bytes()).isEqualTo(bytes);
        }
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(1);
        assertThat(rows("upload")).isZero();
    }

    @Test
    void tooMuchIsRefusedWhetherAnnouncedOrNot() throws IOException {
        var repository = repository("acme/kit");
        var bytes = random((int) MAX_BLOB + 1);
        var digest = Digest.sha256(bytes);
        var target = begin(repository);
        assertProblem(
                Problem.PayloadTooLarge.class,
                () -> node.uploads().append(target, UploadChunk.of(null, new ByteArrayInputStream(bytes))));
        assertProblem(
                Problem.PayloadTooLarge.class, () -> node.uploads().append(target, chunk(bytes, 0, bytes.length)));
        assertProblem(
                Problem.PayloadTooLarge.class,
                () -> node.uploads().push(repository, UploadChunk.of(null, new ByteArrayInputStream(bytes)), digest));
        node.uploads().append(target, chunk(bytes, 0, bytes.length - 1));

        assertProblem(
                Problem.PayloadTooLarge.class,
                () -> node.uploads().finish(target, chunk(bytes, bytes.length - 1, bytes.length), digest));
    }

    @Test
    void anUploadEnds24HoursAfterItsLastChunk() throws IOException {
        var repository = repository("acme/kit");
        var target = begin(repository);
        clock.advance(Duration.ofHours(23));
        node.uploads().append(target, chunk(random(100_000), 0, 100_000));
        clock.advance(Duration.ofHours(23));
        node.housekeeping().run(new TaskRun(false));
        assertThat(node.uploads().status(target).written()).isEqualTo(100_000);

        clock.advance(Duration.ofHours(2));

        assertProblem(Problem.UploadUnknown.class, () -> node.uploads().status(target));
        node.housekeeping().run(new TaskRun(false));
        assertThat(rows("upload")).isZero();
        assertThat(stored()).isEmpty();
    }

    @Test
    void aCancelledUploadIsGone() throws IOException {
        var target = begin(repository("acme/kit"));
        node.uploads().append(target, chunk(random(100_000), 0, 100_000));

        node.uploads().cancel(target);

        assertProblem(Problem.UploadUnknown.class, () -> node.uploads().append(target, nothing()));
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).isEmpty();
    }

    @Test
    void anUploadThatTheQuotaRefusesLeavesNothing() throws IOException {
        quota = new Quota(400_000, 0, 0);
        node = restart();
        var repository = repository("acme/kit");
        var bytes = random(300_000);
        var digest = Digest.sha256(bytes);
        var target = begin(repository);
        node.uploads().append(target, chunk(bytes, 0, 200_000));
        var held = push(repository, random(150_000)); // which is not remembered yet
        long links = rows("link");

        var early = begin(repository);
        assertProblem(Problem.QuotaExceeded.class, () -> restart().uploads().append(early, chunk(bytes, 0, 300_000)));
        assertProblem(
                Problem.QuotaExceeded.class,
                () -> node.uploads().finish(target, chunk(bytes, 200_000, 300_000), digest));

        clock.advance(Duration.ofDays(3));
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(1);
        assertThat(node.blobs().open(held).length()).isEqualTo(150_000);
        assertThat(rows("link")).isEqualTo(links);
        assertThat(rows("upload")).isZero();
        assertThat(node.blobs().find(repository, digest)).isEmpty();
    }

    /// Bytes that take half an hour to arrive, in which `then` happens.
    private InputStream slowly(byte[] bytes, Runnable then) {
        return new FilterInputStream(new ByteArrayInputStream(bytes)) {
            private boolean happened;

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                int read = super.read(buffer, offset, Math.min(length, bytes.length / 30));
                clock.advance(Duration.ofMinutes(1));
                if (available() < bytes.length / 3 && !happened) {
                    happened = true;
                    then.run();
                }
                return read;
            }
        };
    }

    /// A process with few uploads at once.
    private Uploads limited(int open) {
        return new Uploads(
                database,
                node.store(),
                node.blobs(),
                new QuotaCheck(database, quota),
                new UploadLimits(MAX_BLOB, open, open));
    }

    @Test
    void bytesThatArriveElsewhereKeepAnUploadFromMakingRoom() throws IOException {
        var repository = repository("acme/kit");
        var target = begin(repository);
        var elsewhere = limited(1);
        var content = slowly(
                random(300_000),
                () -> assertProblem(
                        Problem.TooManyUploads.class,
                        () -> elsewhere.begin(repository, caller, Digest.Algorithm.SHA256)));

        node.uploads().append(target, UploadChunk.of(null, content));

        assertThat(node.uploads().status(target).written()).isEqualTo(300_000);
    }

    @Test
    void uploadsThatAreBusyDoNotHideOneThatIsIdle() throws IOException {
        var repository = repository("acme/kit");
        var busy = new ArrayDeque<Uploads.Target>();
        for (int i = 0; i < 25; i++) {
            busy.add(begin(repository));
            clock.advance(Duration.ofSeconds(1));
        }
        var idle = begin(repository);
        var few = limited(26);

        appendEach(few, busy, () -> {
            clock.advance(Duration.ofMinutes(11));
            few.begin(repository, caller, Digest.Algorithm.SHA256);
        });

        assertProblem(Problem.UploadUnknown.class, () -> few.status(idle));
    }

    /// Appends to all at once: each waits for bytes while those after it begin.
    private static void appendEach(Uploads uploads, Deque<Uploads.Target> targets, Runnable last) throws IOException {
        var target = targets.poll();
        if (target == null) {
            last.run();
            return;
        }
        var content = new InputStream() {
            private boolean asked;

            @Override
            public int read() throws IOException {
                if (!asked) {
                    asked = true;
                    appendEach(uploads, targets, last);
                }
                return -1;
            }
        };
        uploads.append(target, UploadChunk.of(null, content));
    }

    private Uploads.Target begin(Repository repository) {
        var begun = node.uploads().begin(repository, caller, Digest.Algorithm.SHA256);
        return new Uploads.Target(repository, begun.id(), caller);
    }

    private UploadRecord draft(UUID id) {
        return database.read(tx -> UploadRows.find(tx, id)).orElseThrow();
    }
}
