package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Scope;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.blob.BulkLane;
import dev.sheaf.server.blob.FileBlobStore;
import dev.sheaf.server.blob.S3BlobStore;
import dev.sheaf.server.blob.S3Settings;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.org.Quota;
import dev.sheaf.server.org.Quotas;
import dev.sheaf.server.testing.Buckets;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A registry over a fresh database and a fresh folder.
@SuppressWarnings("NullAway.Init") // set before each test
abstract class RegistryFixture {
    static final long MAX_BLOB = 4 << 20;
    static final UUID ORGANIZATION = UUID.fromString("01890000-0000-7000-8000-000000000001");

    final long seed = System.nanoTime();
    final SettableClock clock = new SettableClock();
    final Caller.Known caller = caller();

    @TempDir
    Path folder;

    Database database;
    Node node;

    /// Of every organization, for processes that start from now on.
    Quota quota = Quota.NONE;

    /// What one process of the service holds.
    record Node(
            BlobStore store,
            Repositories repositories,
            Blobs blobs,
            Manifests manifests,
            Tags tags,
            Uploads uploads,
            Housekeeping housekeeping,
            Collector collector,
            Leases leases) {}

    private @Nullable S3Settings bucket;

    abstract Databases.Kind kind();

    /// Whether the blob store is a bucket and not a folder.
    boolean isOnBucket() {
        return false;
    }

    /// How long what nothing needs is kept.
    Keeping keeping() {
        return Keeping.DEFAULT;
    }

    @BeforeEach
    void open() {
        database = kind().open(folder, clock);
        bucket = isOnBucket() ? Buckets.fresh() : null;
        node = restart();
        database.write(tx -> tx.handle()
                .createUpdate("INSERT INTO organization (id, handle, name, created_at) VALUES (:id, 'acme', 'Acme', 0)")
                .bind("id", ORGANIZATION)
                .execute());
    }

    @AfterEach
    void close() {
        database.close();
    }

    /// A process that has nothing in memory, over the same database and files.
    final Node restart() {
        var lane = new BulkLane(4);
        BlobStore store = bucket == null
                ? new FileBlobStore(folder.resolve("blobs"), 0, lane)
                : new S3BlobStore(bucket, folder.resolve("spool-" + UUID.randomUUID()), 0, lane);
        var cache = new Blobs.CacheSize(1_000, 1 << 20);
        var blobs = new Blobs(database, store, keeping(), cache);
        var quotas = new Quotas(database, quota);
        var uploads = new Uploads(database, store, blobs, quotas, new UploadLimits(MAX_BLOB, 1_000, 1_000));
        return new Node(
                store,
                new Repositories(database),
                blobs,
                new Manifests(database, keeping(), cache, true),
                new Tags(database),
                uploads,
                new Housekeeping(database, store, uploads),
                new Collector(database, store, keeping(), uploads),
                new Leases(database, keeping()));
    }

    static Caller.Known caller() {
        return new Caller.Known(
                new Credential.Key(UUID.randomUUID(), "test", "shf_…1234", null),
                ORGANIZATION,
                Scope.WRITE,
                Restrictions.NONE,
                Grant.ALL,
                null);
    }

    final Repository repository(String name) {
        return database.write(tx -> ensure(tx, name));
    }

    final Repository ensure(Tx tx, String name) {
        var parsed = RepositoryName.parse(name);
        tx.handle()
                .createUpdate("""
                        INSERT INTO namespace (name, display_name, organization_id, created_at)
                        VALUES (:name, :name, :organization, 0) ON CONFLICT DO NOTHING
                        """)
                .bind("name", parsed.namespace())
                .bind("organization", ORGANIZATION)
                .execute();
        return node.repositories().ensure(tx, parsed);
    }

    final byte[] random(int size) {
        var bytes = new byte[size];
        new Random(seed + size).nextBytes(bytes);
        return bytes;
    }

    final BlobRecord push(Repository repository, byte[] bytes) {
        var staged = node.blobs().stage(bytes);
        database.write(tx -> node.blobs().link(tx, repository, staged));
        return node.blobs().find(repository, staged.digest()).orElseThrow();
    }

    static Chunk chunk(byte[] bytes, int from, int to) {
        return new Chunk(
                OptionalLong.of(from), OptionalLong.of(to - from), new ByteArrayInputStream(bytes, from, to - from));
    }

    static Chunk nothing() {
        return Chunk.of(OptionalLong.of(0), InputStream.nullInputStream());
    }

    /// An image manifest of these blobs. Its bytes only need to be unique here: nobody in this package reads JSON.
    static ManifestDocument image(@Nullable Digest subject, BlobRecord... layers) {
        var descriptors = List.of(layers).stream()
                .map(blob -> new Descriptor(MediaType.OCTETS, blob.digest(), blob.size(), Map.of(), false))
                .toList();
        var outline = new ManifestDocument.Outline(
                MediaType.IMAGE_MANIFEST, "application/x-test", subject, null, descriptors, List.of(), Map.of());
        byte[] bytes = (descriptors + "/" + subject).getBytes(StandardCharsets.UTF_8);
        return ManifestDocument.of(Digest.Algorithm.SHA256, bytes, outline);
    }

    final long rows(String table) {
        return database.read(tx -> tx.handle()
                .createQuery("SELECT count(*) FROM " + table)
                .mapTo(Long.class)
                .one());
    }

    /// The names of everything in the blob store.
    final List<String> stored() throws IOException {
        if (bucket != null) {
            return Buckets.keys(bucket);
        }
        try (var files = Files.walk(folder.resolve("blobs"))) {
            return files.filter(Files::isRegularFile).map(Path::toString).toList();
        }
    }

    /// Gives something in the blob store other bytes.
    final void overwrite(String name, byte[] bytes) throws IOException {
        if (bucket != null) {
            Buckets.overwrite(bucket, name, bytes);
        } else {
            Files.write(Path.of(name), bytes);
        }
    }

    /// Takes something out of the blob store.
    final void remove(String name) throws IOException {
        if (bucket != null) {
            Buckets.remove(bucket, name);
        } else {
            Files.delete(Path.of(name));
        }
    }

    /// The name of a blob's object in the store.
    final String nameOf(BlobRecord blob) throws IOException {
        String part = Objects.requireNonNull(blob.object()).part();
        return stored().stream().filter(name -> name.endsWith(part)).findFirst().orElseThrow();
    }

    static void assertProblem(Class<? extends Problem> kind, ThrowingCallable call) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(call)
                .matches(e -> kind.isInstance(e.problem()), "is " + kind.getSimpleName());
    }
}
