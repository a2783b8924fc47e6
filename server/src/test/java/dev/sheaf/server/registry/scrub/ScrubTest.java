package dev.sheaf.server.registry.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.registry.RegistryFixture;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.StoreHooks;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.upload.UploadChunk;
import dev.sheaf.server.registry.upload.Uploads;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Together;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@EveryStack
class ScrubTest extends RegistryFixture {
    private static final Duration WEEK = Duration.ofDays(7);

    /// What happens to bytes.
    enum Harm {
        FLIP,
        TRUNCATE,
        LENGTHEN,
        EXCHANGE,
        REMOVE;

        byte @Nullable [] of(byte[] bytes, Random random) {
            return switch (this) {
                case FLIP -> {
                    var flipped = bytes.clone();
                    flipped[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                    yield flipped;
                }
                case TRUNCATE -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
                case LENGTHEN -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(100));
                case EXCHANGE -> {
                    var others = new byte[bytes.length];
                    random.nextBytes(others);
                    yield others;
                }
                case REMOVE -> null;
            };
        }
    }

    /// The ways to push a blob.
    enum Way {
        AT_ONCE_IN_MEMORY,
        AT_ONCE_STREAMED,
        IN_CHUNKS
    }

    private final Random random = new Random(seed);

    private Scrub scrub() {
        return new Scrub(database, node.store(), WEEK);
    }

    private TaskRun.Report run(boolean dryRun) {
        var run = new TaskRun(dryRun);
        scrub().run(run);
        return run.report();
    }

    private void harm(BlobRecord blob, byte[] bytes, Harm harm) throws IOException {
        var harmed = harm.of(bytes, random);
        if (blob.object() == null) {
            sql("DELETE FROM blob_content WHERE blob_id = " + blob.id());
            if (harmed != null) {
                database.write(tx -> {
                    BlobRows.setContent(tx, blob.id(), harmed);
                    return harmed;
                });
            }
        } else if (harmed == null) {
            store().remove(nameOf(blob));
        } else {
            store().overwrite(nameOf(blob), harmed);
        }
    }

    private void sql(String statement) {
        database.write(tx -> tx.handle().createUpdate(statement).execute());
    }

    private List<String> events(String type) {
        return database.read(tx -> tx.handle()
                .createQuery("SELECT subject || ' ' || data FROM event WHERE type = :type ORDER BY id")
                .bind("type", type)
                .mapTo(String.class)
                .list());
    }

    /// Stores blobs and manifests and damages some of them; their digests.
    private Set<String> damageSome(Repository repository) throws IOException {
        var damaged = new HashSet<String>();
        for (int i = 0; i < 50; i++) {
            int size = random.nextBoolean() ? 1 + random.nextInt(30_000) : 33_000 + random.nextInt(90_000);
            var bytes = new byte[size];
            random.nextBytes(bytes);
            var blob = push(repository, bytes);
            if (random.nextInt(3) == 0) {
                harm(blob, bytes, Harm.values()[random.nextInt(Harm.values().length)]);
                damaged.add(blob.digest().toString());
            }
        }
        for (int i = 0; i < 10; i++) {
            var document = image(null, push(repository, random(200 + i)));
            long id = database.write(tx -> node.manifests().store(tx, repository, document))
                    .id();
            if (i % 3 == 0) {
                sql("UPDATE manifest_content SET content = content || content WHERE manifest_id = " + id);
                damaged.add(document.digest().toString());
            }
        }
        return damaged;
    }

    private List<String> blobs() {
        return database.read(tx -> tx.handle()
                .createQuery("SELECT digest FROM blob")
                .mapTo(String.class)
                .list());
    }

    @Test
    void randomDamageIsFoundAllOfItAndNothingElse() throws IOException {
        var repository = repository("acme/kit");
        var damaged = damageSome(repository);
        node = restart();

        var looked = run(true);

        assertThat(subjects(looked)).as("seed %d", seed).isEqualTo(damaged);
        assertThat(rows("blob WHERE state = 'suspect'") + rows("manifest WHERE state = 'suspect'"))
                .isZero();
        assertThat(rows("event")).isZero();

        var found = run(false);

        assertThat(subjects(found)).as("seed %d", seed).isEqualTo(damaged);
        assertThat(found.counts())
                .containsEntry("damaged", (long) damaged.size())
                .containsEntry("checked", 70L);
        assertThat(rows("blob WHERE state = 'suspect'") + rows("manifest WHERE state = 'suspect'"))
                .isEqualTo(damaged.size());
        for (String blob : blobs()) {
            assertThat(node.blobs().find(repository, Digest.parse(blob)).isEmpty())
                    .isEqualTo(damaged.contains(blob));
        }
        assertThat(events("blob.damaged").size() + events("manifest.damaged").size())
                .isEqualTo(damaged.size());
        assertThat(run(false).counts())
                .containsEntry("knownDamaged", (long) damaged.size())
                .doesNotContainKey("damaged");
    }

    private static Set<String> subjects(TaskRun.Report report) {
        var subjects = new HashSet<String>();
        report.findings().forEach(finding -> subjects.add(finding.subject()));
        return subjects;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whatIsDamagedIsHealedByThatPush(Way way) throws IOException {
        var kit = repository("acme/kit");
        var other = repository("acme/other");
        for (int size : new int[] {500, 100_000}) {
            for (Harm harm : Harm.values()) {
                var bytes = new byte[size];
                random.nextBytes(bytes);
                var blob = push(kit, bytes);
                push(other, bytes);
                harm(blob, bytes, harm);
                node = restart();
                scrub().run(new TaskRun(false));
                assertThat(node.blobs().find(kit, blob.digest())).isEmpty();
                assertThat(node.blobs().find(other, blob.digest())).isEmpty();
                assertThat(node.uploads().mount(kit, other, blob.digest()))
                        .as("a mount heals nothing")
                        .isFalse();

                push(other, bytes, way);

                var healed = node.blobs().find(kit, blob.digest()).orElseThrow();
                assertThat(node.blobs().open(healed).bytes())
                        .as("seed %d", seed)
                        .isEqualTo(bytes);
                assertThat(events("blob.healed").getLast())
                        .startsWith(blob.digest().toString())
                        .contains("acme/kit", "acme/other", "replaced by a new upload");
            }
        }
        assertThat(events("blob.damaged")).hasSize(2 * Harm.values().length);
        assertThat(run(false).findings()).isEmpty();
        assertThat(rows("object_deletion WHERE reason LIKE 'damaged%'")).isEqualTo(Harm.values().length);
        clock.advance(Duration.ofHours(25));
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(Harm.values().length);
    }

    private void push(Repository repository, byte[] bytes, Way way) throws IOException {
        switch (way) {
            case AT_ONCE_IN_MEMORY -> push(repository, bytes);
            case AT_ONCE_STREAMED ->
                node.uploads()
                        .push(repository, UploadChunk.of(null, new ByteArrayInputStream(bytes)), Digest.sha256(bytes));
            case IN_CHUNKS -> {
                var begun = node.uploads().begin(repository, caller, Digest.Algorithm.SHA256);
                var target = new Uploads.Target(repository, begun.id(), (Caller) caller);
                node.uploads().append(target, chunk(bytes, 0, bytes.length / 2));
                node.uploads().finish(target, chunk(bytes, bytes.length / 2, bytes.length), Digest.sha256(bytes));
            }
        }
    }

    @Test
    void aDamagedManifestIsNeverServedAndHealsByAPush() {
        var repository = repository("acme/kit");
        var document = image(null, push(repository, random(100)));
        database.write(tx -> node.manifests().store(tx, repository, document));
        sql("UPDATE manifest_content SET content = content || content");
        node = restart();
        var manifest = node.manifests().find(repository, document.digest()).orElseThrow();

        assertThat(node.manifests().content(manifest)).isEmpty();
        assertThat(node.manifests().find(repository, document.digest())).isEmpty();
        assertThat(events("manifest.damaged")).singleElement().asString().startsWith("acme/kit@" + document.digest());

        database.write(tx -> node.manifests().store(tx, repository, document));

        var healed = node.manifests().find(repository, document.digest()).orElseThrow();
        assertThat(healed).isEqualTo(manifest);
        assertThat(node.manifests().content(healed)).contains(document.bytes());
        assertThat(events("manifest.healed")).hasSize(1);
    }

    @Test
    void damageInTheDatabaseIsNeverServed() throws IOException {
        var repository = repository("acme/kit");
        var bytes = random(1_000);
        var blob = push(repository, bytes);
        harm(blob, bytes, Harm.FLIP);
        node = restart();

        assertThatThrownBy(() -> node.blobs().open(blob))
                .hasMessageContaining(blob.digest().toString());

        assertThat(node.blobs().find(repository, blob.digest())).isEmpty();
        assertThat(events("blob.damaged")).hasSize(1);
    }

    @Test
    void anObjectThatIsGoneWhileItIsReadIsDamaged() throws IOException {
        var repository = repository("acme/kit");
        var bytes = random(200_000);
        var blob = push(repository, bytes);
        var content = node.blobs().open(blob);
        store().remove(nameOf(blob));

        assertThatThrownBy(() -> content.writeTo(OutputStream.nullOutputStream(), 0, bytes.length))
                .isInstanceOf(IOException.class);

        assertThat(node.blobs().find(repository, blob.digest())).isEmpty();
    }

    @Test
    void aReaderWhoGoesAwayDamagesNothing() {
        var repository = repository("acme/kit");
        var blob = push(repository, random(200_000));
        var gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("broken pipe");
            }
        };

        assertThatThrownBy(() -> node.blobs().open(blob).writeTo(gone, 0, 200_000))
                .isInstanceOf(IOException.class);

        assertThat(node.blobs().find(repository, blob.digest())).contains(blob);
    }

    @Test
    void whatComesBackIsTrustedAgain() throws IOException {
        var repository = repository("acme/kit");
        var bytes = random(100_000);
        var blob = push(repository, bytes);
        harm(blob, bytes, Harm.TRUNCATE);
        assertThat(run(false).counts()).containsEntry("damaged", 1L);
        store().overwrite(nameOf(blob), bytes);

        assertThat(run(true).counts()).containsEntry("wholeAgain", 1L);
        assertThat(run(false).counts()).containsEntry("wholeAgain", 1L);

        assertThat(node.blobs().find(repository, blob.digest())).contains(blob);
        assertThat(events("blob.healed")).singleElement().asString().contains("correct again");
    }

    @Test
    void anEmptyStoreIsNotTakenForDamage() throws IOException {
        var repository = repository("acme/kit");
        for (int i = 0; i < 12; i++) {
            push(repository, random(40_000 + i));
        }
        for (String name : stored()) {
            store().remove(name);
        }

        var report = run(false);

        assertThat(report.counts()).doesNotContainKey("damaged");
        assertThat(report.findings()).hasSize(1);
        assertThat(rows("blob WHERE state = 'suspect'")).isZero();
    }

    @Test
    void stepsCheckWhatIsDueAndNodesShareTheWork() throws Exception {
        var repository = repository("acme/kit");
        BlobRecord first = push(repository, random(40_000));
        for (int i = 1; i < 40; i++) {
            push(repository, random(i));
        }
        var document = image(null, first);
        database.write(tx -> node.manifests().store(tx, repository, document));
        harm(first, random(40_000), Harm.FLIP);

        assertThat(scrub().step().counts()).as("nothing is due").isEmpty();
        clock.advance(Duration.ofDays(4));
        var steps = Together.run(3, i -> () -> scrub().step());

        assertThat(steps.stream()
                        .mapToLong(step -> step.counts().getOrDefault("checked", 0L))
                        .sum())
                .isEqualTo(41);
        assertThat(rows("blob WHERE state = 'suspect'")).isEqualTo(1);
        assertThat(scrub().step().counts()).isEmpty();
        clock.advance(Duration.ofDays(4));
        assertThat(scrub().step().counts()).containsEntry("checked", 41L);
    }

    @Test
    void whatADeadNodeTookIsCheckedByAnother() throws Exception {
        push(repository("acme/kit"), random(40_000));
        clock.advance(Duration.ofDays(4));
        var store = StoreHooks.before("open", node.store(), () -> {
            throw new CancellationException("the node dies");
        });
        var dying = new Scrub(database, store, WEEK);
        assertThatThrownBy(dying::step).isInstanceOf(CancellationException.class);

        assertThat(scrub().step().counts()).as("it may still be at it").isEmpty();
        clock.advance(Duration.ofHours(2));
        assertThat(scrub().step().counts()).containsEntry("checked", 1L);
    }

    @Test
    void contentThatWasOnlyStoredIsNotCheckedYet() throws Exception {
        assertThat(scrub().checkedSince()).as("nothing is stored").isEmpty();
        push(repository("acme/kit"), random(40_000));
        clock.advance(Duration.ofDays(1));
        push(repository("acme/kit"), random(20_000));
        assertThat(scrub().checkedSince()).isEmpty();

        run(true);
        assertThat(scrub().checkedSince()).as("a dry run records nothing").isEmpty();
        run(false);
        assertThat(scrub().checkedSince()).contains(clock.instant());
        clock.advance(Duration.ofDays(1));
        push(repository("acme/kit"), random(10_000));
        assertThat(scrub().checkedSince()).contains(clock.instant().minus(Duration.ofDays(1)));
    }
}
