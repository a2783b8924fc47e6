package dev.sheaf.client.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How to pull.
///
/// @param locked what the reference must mean, and what is pulled; null: whatever it means now
/// @param offline go by the cache alone and ask no registry
/// @param minAge how long a version must have been published; a tag or range then means an older one. Null: any
/// @param refresh ask the registry what the reference means, however recent the last answer is
/// @param force replace files of the target that were changed there, or that no pull has written
/// @param skipRefused leave out files whose paths are refused, and write the others
/// @param mostBytes how long all files may be together; more is refused before anything is fetched
public record PullOptions(
        @Nullable LockEntry locked,
        boolean offline,
        @Nullable Duration minAge,
        boolean refresh,
        boolean force,
        boolean skipRefused,
        long mostBytes) {
    /// Four times what a registry takes for one bundle by default (contract 6).
    public static final long MOST_BYTES = 2L << 30;

    /// What the reference means now, from the registry or an answer of it that is recent enough.
    public static final PullOptions DEFAULT = new PullOptions(null, false, null, false, false, false, MOST_BYTES);

    public PullOptions frozen(@Nullable LockEntry entry) {
        return new PullOptions(entry, offline, minAge, refresh, force, skipRefused, mostBytes);
    }

    public PullOptions offline(boolean only) {
        return new PullOptions(locked, only, minAge, refresh, force, skipRefused, mostBytes);
    }

    public PullOptions minAge(@Nullable Duration age) {
        return new PullOptions(locked, offline, age, refresh, force, skipRefused, mostBytes);
    }

    public PullOptions refresh(boolean anew) {
        return new PullOptions(locked, offline, minAge, anew, force, skipRefused, mostBytes);
    }

    public PullOptions force(boolean replace) {
        return new PullOptions(locked, offline, minAge, refresh, replace, skipRefused, mostBytes);
    }

    public PullOptions skipRefused(boolean skip) {
        return new PullOptions(locked, offline, minAge, refresh, force, skip, mostBytes);
    }

    public PullOptions mostBytes(long most) {
        return new PullOptions(locked, offline, minAge, refresh, force, skipRefused, most);
    }
}
