package dev.sheaf.client.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Options of a pull. Immutable: start with [#DEFAULT].
public final class PullOptions {
    /// Four times a registry's default limit for one bundle (contract 6).
    public static final long MOST_BYTES = 2L << 30;

    /// Resolves at the registry, or uses a recent answer from it.
    public static final PullOptions DEFAULT = new PullOptions(null, false, null, false, false, false, MOST_BYTES);

    private final @Nullable LockEntry locked;
    private final boolean offline;
    private final @Nullable Duration minAge;
    private final boolean refresh;
    private final boolean force;
    private final boolean skipRefused;
    private final long mostBytes;

    private PullOptions(
            @Nullable LockEntry locked,
            boolean offline,
            @Nullable Duration minAge,
            boolean refresh,
            boolean force,
            boolean skipRefused,
            long mostBytes) {
        this.locked = locked;
        this.offline = offline;
        this.minAge = minAge;
        this.refresh = refresh;
        this.force = force;
        this.skipRefused = skipRefused;
        this.mostBytes = mostBytes;
    }

    /// Returns the entry of a lock file, which is pulled and which the reference must match; null to ignore
    /// lock files.
    public @Nullable LockEntry locked() {
        return locked;
    }

    /// Pulls exactly this entry of a lock file; null to ignore lock files.
    public PullOptions frozen(@Nullable LockEntry entry) {
        return new PullOptions(entry, offline, minAge, refresh, force, skipRefused, mostBytes);
    }

    /// Returns whether only the cache is used and no request is sent.
    public boolean offline() {
        return offline;
    }

    /// Only uses the cache and sends no request.
    public PullOptions offline(boolean only) {
        return new PullOptions(locked, only, minAge, refresh, force, skipRefused, mostBytes);
    }

    /// Returns the minimum age of a version; null means no minimum.
    public @Nullable Duration minAge() {
        return minAge;
    }

    /// Sets the minimum age of a version; a tag or range then selects an older version. Null means no minimum.
    public PullOptions minAge(@Nullable Duration age) {
        return new PullOptions(locked, offline, age, refresh, force, skipRefused, mostBytes);
    }

    /// Returns whether the reference is resolved at the registry, even if the last answer is recent.
    public boolean refresh() {
        return refresh;
    }

    /// Resolves the reference at the registry, even if the last answer is recent.
    public PullOptions refresh(boolean always) {
        return new PullOptions(locked, offline, minAge, always, force, skipRefused, mostBytes);
    }

    /// Returns whether files of the target that were edited, or that no pull wrote, are replaced.
    public boolean force() {
        return force;
    }

    /// Replaces files of the target that were edited, or that no pull wrote.
    public PullOptions force(boolean replace) {
        return new PullOptions(locked, offline, minAge, refresh, replace, skipRefused, mostBytes);
    }

    /// Returns whether files with refused paths are left out, and the others written.
    public boolean skipRefused() {
        return skipRefused;
    }

    /// Leaves out files with refused paths, and writes the others.
    public PullOptions skipRefused(boolean skip) {
        return new PullOptions(locked, offline, minAge, refresh, force, skip, mostBytes);
    }

    /// Returns the limit for the total size of all files, in bytes.
    public long mostBytes() {
        return mostBytes;
    }

    /// Sets the limit for the total size of all files, in bytes; checked before anything is fetched.
    public PullOptions mostBytes(long most) {
        return new PullOptions(locked, offline, minAge, refresh, force, skipRefused, most);
    }
}
