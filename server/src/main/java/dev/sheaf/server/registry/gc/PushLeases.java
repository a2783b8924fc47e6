package dev.sheaf.server.registry.gc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.ManifestRows;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Keeps content that a pusher was told exists until the push can end. Thread-safe.
///
/// Lease ends are cached here, so that frequent HEAD requests cost the database nothing. Leases are only ever
/// extended, so a cached end may be too early but never too late. That holds even if a link was deleted and
/// created again, because a new lease is as long as any older one.
public final class PushLeases {

    private record Key(
            long repositoryId,
            @Nullable Long blobId,
            @Nullable Long manifestId) {}

    private final Database database;
    private final RetentionPolicy keeping;
    private final Cache<Key, Instant> known = Caffeine.newBuilder()
            .maximumSize(HeapShare.PUSH_LEASES.entries(1, 50 + HeapShare.ENTRY))
            .build();

    public PushLeases(Database database, RetentionPolicy keeping) {
        this.database = database;
        this.keeping = keeping;
    }

    /// Leases a blob of the repository for at least an hour. Returns false if it is gone.
    public boolean renew(Repository repository, BlobRecord blob) {
        return renew(
                new Key(repository.id(), blob.id(), null),
                tx -> BlobRows.leasedUntil(tx, repository.id(), blob.id()),
                tx -> BlobRows.renew(tx, repository.id(), blob.id(), keeping.soon(tx.now()), keeping.leaseEnd(tx)));
    }

    /// Leases a manifest of the repository and everything that it refers to, like
    /// [#renew(Repository,BlobRecord)].
    public boolean renew(Repository repository, ManifestRecord manifest) {
        return renew(
                new Key(repository.id(), null, manifest.id()),
                tx -> ManifestRows.leasedUntil(tx, manifest.id()),
                tx -> ManifestRows.prolong(tx, manifest.id(), keeping.soon(tx.now()), keeping.leaseEnd(tx)));
    }

    private boolean renew(Key key, Function<Tx, Optional<Instant>> look, Function<Tx, Optional<Instant>> prolong) {
        var soon = keeping.soon(database.now());
        if (lasts(known.getIfPresent(key), soon)) {
            return true;
        }
        var until = database.read(look);
        if (until.isPresent() && !lasts(until.get(), soon)) {
            until = database.write(prolong);
        }
        until.ifPresent(instant -> known.put(key, instant));
        return until.isPresent();
    }

    private static boolean lasts(@Nullable Instant until, Instant soon) {
        return until != null && !until.isBefore(soon);
    }
}
