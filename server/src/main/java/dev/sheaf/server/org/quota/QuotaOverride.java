package dev.sheaf.server.org.quota;

import org.jspecify.annotations.Nullable;

/// What is said of one organization's quota: null leaves it to the installation's default, 0 means any amount.
public record QuotaOverride(
        @Nullable Long bytes,
        @Nullable Long bundles,
        @Nullable Long versions) {
    Quota over(Quota fallback) {
        return new Quota(
                bytes == null ? fallback.bytes() : bytes,
                bundles == null ? fallback.bundles() : bundles,
                versions == null ? fallback.versions() : versions);
    }
}
