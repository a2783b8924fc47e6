package dev.sheaf.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How to pull.
///
/// @param locked what the reference must mean, and what is pulled; null: whatever it means now
/// @param offline go by the cache alone and ask no registry
/// @param minAge how long a version must have been published; a tag or range then means an older one. Null: any
/// @param refresh ask the registry what the reference means, however recent the last answer is
/// @param force replace files of the target that were changed there, or that no pull has written
public record PullOptions(
        LockFile.@Nullable Entry locked,
        boolean offline,
        @Nullable Duration minAge,
        boolean refresh,
        boolean force) {
    /// What the reference means now, from the registry or an answer of it that is recent enough.
    public static final PullOptions DEFAULT = new PullOptions(null, false, null, false, false);

    public PullOptions frozen(LockFile.@Nullable Entry entry) {
        return new PullOptions(entry, offline, minAge, refresh, force);
    }

    public PullOptions offline(boolean only) {
        return new PullOptions(locked, only, minAge, refresh, force);
    }

    public PullOptions minAge(@Nullable Duration age) {
        return new PullOptions(locked, offline, age, refresh, force);
    }

    public PullOptions refresh(boolean anew) {
        return new PullOptions(locked, offline, minAge, anew, force);
    }

    public PullOptions force(boolean replace) {
        return new PullOptions(locked, offline, minAge, refresh, replace);
    }
}
