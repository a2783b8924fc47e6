package dev.sheaf.model.wire.org;

import org.jspecify.annotations.Nullable;

/// What an organization holds, and the most that it may hold.
public record OrganizationUsage(Used used, Uploads uploads, Quota quota) {
    /// @param bytes of files, once for each bundle that holds one, and of manifests
    public record Used(long bytes, long bundles, long versions) {}

    /// Uploads by OCI clients that are open: what has come of them counts against the quota until they end.
    public record Uploads(long open, long bytes) {}

    /// The most of each; null where there is no limit.
    public record Quota(
            @Nullable Long bytes,
            @Nullable Long bundles,
            @Nullable Long versions) {}
}
