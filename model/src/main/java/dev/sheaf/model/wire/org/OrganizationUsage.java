package dev.sheaf.model.wire.org;

import org.jspecify.annotations.Nullable;

/// An organization's use of storage, and its quota.
public record OrganizationUsage(Used used, Uploads uploads, Quota quota) {
    /// @param bytes the bytes of manifests and files; a file counts once in each bundle that contains it
    public record Used(long bytes, long bundles, long versions) {}

    /// Open uploads of OCI clients. The bytes received so far count against the quota until the upload ends.
    public record Uploads(long open, long bytes) {}

    /// The limits; null means unlimited.
    public record Quota(
            @Nullable Long bytes,
            @Nullable Long bundles,
            @Nullable Long versions) {}
}
