package dev.sheaf.server.registry;

import dev.sheaf.engine.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How long content is kept after nothing needs it.
///
/// @param lease the time from the last push of the content
/// @param bytes the time for which deleted bytes are kept; longer than a download may take
/// @param untagged the time for which manifests without a tag are kept; null to keep them forever
public record RetentionPolicy(
        Duration lease, Duration bytes, @Nullable Duration untagged) {
    private static final Duration LEAST = Duration.ofHours(1);
    private static final int LEASES_BETWEEN_LOOKS = 7;
    /// Times are rounded up to steps of this part of a lease, so that rows of about the same time have the same: an
    /// index on PostgreSQL stores equal keys once. For 24 hours a step is eleven minutes.
    private static final int STEPS_OF_A_LEASE = 128;

    public static final RetentionPolicy DEFAULT = new RetentionPolicy(Duration.ofHours(24), Duration.ofHours(24), null);

    /// Returns when the lease of content pushed now ends.
    public Instant leaseEnd(Tx tx) {
        return rounded(tx.now().plus(lease));
    }

    /// Returns the time until which content must stay after a pusher learned that it exists: an hour from now,
    /// or half a lease if that is less.
    public Instant soon(Instant now) {
        var half = lease.dividedBy(2);
        return now.plus(half.compareTo(LEAST) < 0 ? half : LEAST);
    }

    /// Returns when bytes that are deleted now may be removed.
    public Instant bytesUntil(Tx tx) {
        return tx.now().plus(bytes);
    }

    /// Returns when the collector looks again at content that is needed now. The end of a need is normally
    /// announced; this catches what was missed.
    public Instant nextLook(Instant now) {
        return rounded(now.plus(lease.multipliedBy(LEASES_BETWEEN_LOOKS)));
    }

    private Instant rounded(Instant end) {
        long step = Math.max(1, lease.toMillis() / STEPS_OF_A_LEASE);
        return Instant.ofEpochMilli(Math.ceilDiv(end.toEpochMilli(), step) * step);
    }

    /// Returns when an unneeded manifest may be deleted; empty for never.
    public Optional<Instant> goes(ManifestState manifest) {
        boolean isReleased = manifest.releasedBy() != null && manifest.releasedBy() != ReleaseReason.TAG;
        var from = manifest.releasedAt() == null ? manifest.createdAt() : manifest.releasedAt();
        return Optional.ofNullable(isReleased ? lease : untagged)
                .map(from::plus)
                .map(end -> end.isAfter(manifest.leasedUntil()) ? end : manifest.leasedUntil());
    }
}
