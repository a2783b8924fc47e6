package dev.sheaf.server.org.quota;

import dev.sheaf.model.text.QuotaResource;

/// Amounts of usage that count for an organization. A negative amount lowers the usage.
///
/// @param bytes the bytes of manifests and blobs; a blob counts once for each repository that contains it
public record UsageAmounts(long bytes, long bundles, long versions) {
    public static final UsageAmounts NONE = new UsageAmounts(0, 0, 0);
    public static final UsageAmounts ONE_BUNDLE = new UsageAmounts(0, 1, 0);
    public static final UsageAmounts ONE_VERSION = new UsageAmounts(0, 0, 1);

    public static UsageAmounts ofBytes(long bytes) {
        return new UsageAmounts(bytes, 0, 0);
    }

    public UsageAmounts plus(UsageAmounts more) {
        return new UsageAmounts(bytes + more.bytes, bundles + more.bundles, versions + more.versions);
    }

    public UsageAmounts minus(UsageAmounts less) {
        return new UsageAmounts(bytes - less.bytes, bundles - less.bundles, versions - less.versions);
    }

    long of(QuotaResource what) {
        return switch (what) {
            case BYTES -> bytes;
            case BUNDLES -> bundles;
            case VERSIONS -> versions;
        };
    }
}
