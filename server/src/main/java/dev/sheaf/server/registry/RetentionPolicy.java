package dev.sheaf.server.registry;

import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How long what nothing needs is kept.
///
/// @param lease from a push on; every push begins it anew
/// @param bytes that were deleted, longer than any download of them may take
/// @param untagged manifests that lost their last tag or never had one; null: for ever
public record RetentionPolicy(
        Duration lease, Duration bytes, @Nullable Duration untagged) {
    private static final Duration LEAST = Duration.ofHours(1);
    private static final int LEASES_BETWEEN_LOOKS = 7;

    public static final RetentionPolicy DEFAULT = new RetentionPolicy(Duration.ofHours(24), Duration.ofHours(24), null);

    /// When the lease of what is pushed now ends.
    public Instant leaseEnd(Tx tx) {
        return tx.now().plus(lease);
    }

    /// What whoever pushes is told is there stays at least until then: an hour from now, or half a lease where that
    /// is less.
    public Instant soon(Instant now) {
        var half = lease.dividedBy(2);
        return now.plus(half.compareTo(LEAST) < 0 ? half : LEAST);
    }

    /// When bytes may go that are deleted now.
    public Instant bytesUntil(Tx tx) {
        return tx.now().plus(bytes);
    }

    /// When the collector looks again at what something needs now. Whoever stops to need it says so; this is for
    /// what was missed.
    public Instant nextLook(Instant now) {
        return now.plus(lease.multipliedBy(LEASES_BETWEEN_LOOKS));
    }

    /// When a manifest may go that nothing needs; empty: never.
    public Optional<Instant> goes(ManifestState manifest) {
        boolean isReleased = manifest.releasedBy() != null && manifest.releasedBy() != Release.TAG;
        var from = manifest.releasedAt() == null ? manifest.createdAt() : manifest.releasedAt();
        return Optional.ofNullable(isReleased ? lease : untagged)
                .map(from::plus)
                .map(end -> end.isAfter(manifest.leasedUntil()) ? end : manifest.leasedUntil());
    }
}
