package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.SizeLimit;
import dev.sheaf.server.registry.upload.UploadChunk;
import dev.sheaf.server.registry.upload.UploadLimits;
import dev.sheaf.server.registry.upload.Uploads;
import dev.sheaf.server.testing.EveryStack;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Of two failures, the second of which comes from taking back what the first left, the first is heard of.
@EveryStack
class FirstFailureTest extends RegistryFixture {
    private static BlobStore neverWorking(String method, BlobStore store) {
        return StoreHooks.before(method, store, () -> {
            throw new IllegalStateException(method + " failed, too");
        });
    }

    private Blobs blobs(BlobStore store) {
        return new Blobs(database, store, keeping(), new Blobs.CacheSize(10, 1_000));
    }

    @Test
    void whatCannotBeTakenBackIsSaidByTheFailureThatLeftIt() {
        var staged = List.of(node.blobs().stage(random(100_000)), node.blobs().stage(random(100_000)));
        var first = new IllegalStateException("first");

        blobs(neverWorking("delete", node.store())).discard(staged, first);

        assertThat(first.getSuppressed()).hasSize(2).allMatch(e -> "delete failed, too".equals(e.getMessage()));
    }

    @Test
    void aPushThatFailsSaysWhyThoughItsBytesCannotBeTakenBack() {
        var repository = repository("acme/kit");
        database.write(tx -> tx.handle()
                .createUpdate("UPDATE repository SET purged_at = 1, deleted_at = 1")
                .execute());
        var store = neverWorking("delete", node.store());
        var uploads = new Uploads(
                database,
                store,
                blobs(store),
                new QuotaCheck(database, Quota.NONE),
                new UploadLimits(MAX_BLOB, 1_000, 1_000));
        var bytes = random(100_000);

        var failure = catchThrowable(() -> uploads.push(
                repository,
                UploadChunk.of((long) bytes.length, new ByteArrayInputStream(bytes)),
                Digest.sha256(bytes)));

        assertThat(failure).isInstanceOf(ProblemException.class);
        assertThat(failure.getSuppressed()).extracting(Throwable::getMessage).containsExactly("delete failed, too");
    }

    @Test
    void contentThatIsNotWhatWasAnnouncedSaysSoThoughItsDraftCannotBeRemoved() {
        var store = neverWorking("abort", node.store());
        var bytes = random(100_000);

        var failure = catchThrowable(() ->
                blobs(store).stage(new ByteArrayInputStream(bytes), Digest.sha256(random(5)), SizeLimit.upTo(200_000)));

        assertThat(failure).isInstanceOf(ProblemException.class).hasMessageContaining("digest");
        assertThat(failure.getSuppressed()).hasSize(1);
    }
}
