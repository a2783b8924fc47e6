package dev.sheaf.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How to pull.
///
/// @param locked what the reference must mean, and what is pulled; null: whatever it means now
/// @param offline go by the cache alone and ask no registry
/// @param minAge refuse a version that was published less than this ago; null: none is too young
public record PullOptions(
        LockFile.@Nullable Entry locked,
        boolean offline,
        @Nullable Duration minAge) {
    /// What the reference means now, from the registry.
    public static final PullOptions DEFAULT = new PullOptions(null, false, null);

    public PullOptions frozen(LockFile.Entry entry) {
        return new PullOptions(entry, offline, minAge);
    }

    public PullOptions offline(boolean only) {
        return new PullOptions(locked, only, minAge);
    }

    public PullOptions minAge(@Nullable Duration age) {
        return new PullOptions(locked, offline, age);
    }
}
