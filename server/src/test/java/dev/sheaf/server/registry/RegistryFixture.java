package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.FileBlobStore;
import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.blob.s3.S3BlobStore;
import dev.sheaf.engine.blob.s3.S3Settings;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.gc.Collector;
import dev.sheaf.server.registry.gc.PushLeases;
import dev.sheaf.server.registry.gc.UploadExpiry;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.registry.upload.UploadChunk;
import dev.sheaf.server.registry.upload.UploadLimits;
import dev.sheaf.server.registry.upload.Uploads;
import dev.sheaf.server.testing.Buckets;
import dev.sheaf.server.testing.SettableClock;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Stored;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// A registry over a fresh database and a fresh folder.
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class RegistryFixture {
    public static final long MAX_BLOB = 4 << 20;
    public static final UUID ORGANIZATION = UUID.fromString("01890000-0000-7000-8000-000000000001");

    public final long seed = System.nanoTime();
    public final SettableClock clock = new SettableClock();
    public final Caller.Known caller = caller();

    @TempDir
    public Path folder;

    public Database database;
    public Node node;

    /// Of every organization, for processes that start from now on.
    public Quota quota = Quota.NONE;

    /// What one process of the service holds.
    public record Node(
            BlobStore store,
            Repositories repositories,
            Blobs blobs,
            Manifests manifests,
            Tags tags,
            Uploads uploads,
            UploadExpiry housekeeping,
            Collector collector,
            PushLeases leases) {}

    @Parameter
    public Stack stack;

    private @Nullable S3Settings bucket;

    /// How long what nothing needs is kept.
    public RetentionPolicy keeping() {
        return RetentionPolicy.DEFAULT;
    }

    /// Whether the blob store is a bucket and not a folder.
    public final boolean isOnBucket() {
        return stack == Stack.POSTGRES_AND_BUCKET;
    }

    @BeforeEach
    public void open() {
        database = stack.open(folder, clock);
        bucket = isOnBucket() ? Buckets.fresh() : null;
        node = restart();
        database.write(tx -> tx.handle()
                .createUpdate("INSERT INTO organization (id, handle, name, created_at) VALUES (:id, 'acme', 'Acme', 0)")
                .bind("id", ORGANIZATION)
                .execute());
    }

    @AfterEach
    public void close() {
        database.close();
    }

    /// A process that has nothing in memory, over the same database and files.
    public final Node restart() {
        var lane = new TransferBuffers();
        BlobStore store = bucket == null
                ? new FileBlobStore(folder.resolve("blobs"), 0, lane, CallTimes.OFF)
                : new S3BlobStore(bucket, folder.resolve("spool-" + UUID.randomUUID()), 0, lane, CallTimes.OFF);
        var cache = new Blobs.CacheSize(1_000, 1 << 20);
        var blobs = new Blobs(database, store, keeping(), cache);
        var quotas = new QuotaCheck(database, quota);
        var uploads = new Uploads(database, store, blobs, quotas, new UploadLimits(MAX_BLOB, 1_000, 1_000));
        return new Node(
                store,
                new Repositories(database),
                blobs,
                new Manifests(database, keeping(), cache, true),
                new Tags(database),
                uploads,
                new UploadExpiry(database, store, uploads),
                new Collector(database, store, keeping(), uploads),
                new PushLeases(database, keeping()));
    }

    public static Caller.Known caller() {
        return new Caller.Known(
                new Credential.Key(UUID.randomUUID(), "test", "shf_…1234", null),
                ORGANIZATION,
                Scope.WRITE,
                CredentialRestrictions.NONE,
                Grant.ALL,
                null);
    }

    public final Repository repository(String name) {
        return database.write(tx -> ensure(tx, name));
    }

    public final Repository ensure(Tx tx, String name) {
        var parsed = RepositoryName.parse(name);
        tx.handle()
                .createUpdate("""
                        INSERT INTO namespace (name, display_name, organization_id, created_at)
                        VALUES (:name, :name, :organization, 0) ON CONFLICT DO NOTHING
                        """)
                .bind("name", parsed.namespace())
                .bind("organization", ORGANIZATION)
                .execute();
        return node.repositories()
                .lock(tx, parsed)
                .orElseGet(() -> node.repositories().make(tx, parsed).orElseThrow());
    }

    public final byte[] random(int size) {
        var bytes = new byte[size];
        new Random(seed + size).nextBytes(bytes);
        return bytes;
    }

    public final BlobRecord push(Repository repository, byte[] bytes) {
        var staged = node.blobs().stage(bytes);
        database.write(tx -> node.blobs().link(tx, repository, staged));
        return node.blobs().find(repository, staged.digest()).orElseThrow();
    }

    public static UploadChunk chunk(byte[] bytes, int from, int to) {
        return new UploadChunk((long) from, (long) (to - from), new ByteArrayInputStream(bytes, from, to - from));
    }

    public static UploadChunk nothing() {
        return UploadChunk.of(0L, InputStream.nullInputStream());
    }

    /// An image manifest of these blobs. Its bytes only need to be unique here: nobody in this package reads JSON.
    public static ManifestDocument image(@Nullable Digest subject, BlobRecord... layers) {
        var descriptors = List.of(layers).stream()
                .map(blob -> new Descriptor(MediaType.OCTETS, blob.digest(), blob.size(), Map.of(), false))
                .toList();
        var outline = new ManifestDocument.Outline(
                MediaType.IMAGE_MANIFEST, "application/x-test", subject, null, descriptors, List.of(), Map.of());
        byte[] bytes = (descriptors + "/" + subject).getBytes(StandardCharsets.UTF_8);
        return ManifestDocument.of(Digest.Algorithm.SHA256, bytes, outline);
    }

    public final long rows(String table) {
        return database.read(tx -> tx.handle()
                .createQuery("SELECT count(*) FROM " + table)
                .mapTo(Long.class)
                .one());
    }

    /// What lies in the blob store.
    public final Stored store() {
        return bucket == null ? Stored.in(folder.resolve("blobs")) : Stored.in(bucket);
    }

    /// The names of everything in the blob store.
    public final List<String> stored() throws IOException {
        return store().names();
    }

    /// The name of a blob's object in the store.
    public final String nameOf(BlobRecord blob) throws IOException {
        String part = Objects.requireNonNull(blob.object()).part();
        return stored().stream().filter(name -> name.endsWith(part)).findFirst().orElseThrow();
    }

    public static void assertProblem(Class<? extends Problem> kind, ThrowingCallable call) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(call)
                .matches(e -> kind.isInstance(e.problem()), "is " + kind.getSimpleName());
    }
}
