package dev.sheaf.client.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Options of a pull.
///
/// @param locked the entry of a lock file, which is pulled and which the reference must match; null to ignore
/// lock files
/// @param offline only use the cache and send no request
/// @param minAge the minimum age of a version; a tag or range then selects an older version. Null means no
/// minimum
/// @param refresh resolve the reference at the registry, even if the last answer is recent
/// @param force replace files of the target that were edited, or that no pull wrote
/// @param skipRefused leave out files with refused paths, and write the others
/// @param mostBytes the limit for the total size of all files, in bytes; checked before anything is fetched
public record PullOptions(
        @Nullable LockEntry locked,
        boolean offline,
        @Nullable Duration minAge,
        boolean refresh,
        boolean force,
        boolean skipRefused,
        long mostBytes) {
    /// Four times a registry's default limit for one bundle (contract 6).
    public static final long MOST_BYTES = 2L << 30;

    /// Resolves at the registry, or uses a recent answer from it.
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

    public PullOptions refresh(boolean always) {
        return new PullOptions(locked, offline, minAge, always, force, skipRefused, mostBytes);
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
