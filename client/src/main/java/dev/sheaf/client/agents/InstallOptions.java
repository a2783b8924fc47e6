package dev.sheaf.client.agents;

import dev.sheaf.client.api.PullOptions;

/// How to install.
///
/// @param frozen exactly what the lock says; nothing is looked up, and neither file is written
/// @param offline go by the cache and the lock alone and ask no registry
/// @param force replace files that somebody changed, or that nobody installed
/// @param allowExec write also what has programs run by itself, such as a skill with hooks
/// @param mostBytes how long the files of one bundle may be together
public record InstallOptions(boolean frozen, boolean offline, boolean force, boolean allowExec, long mostBytes) {
    public static final InstallOptions DEFAULT = new InstallOptions(false, false, false, false, PullOptions.MOST_BYTES);

    public InstallOptions frozen(boolean only) {
        return new InstallOptions(only, offline, force, allowExec, mostBytes);
    }

    public InstallOptions offline(boolean only) {
        return new InstallOptions(frozen, only, force, allowExec, mostBytes);
    }

    public InstallOptions force(boolean replace) {
        return new InstallOptions(frozen, offline, replace, allowExec, mostBytes);
    }

    public InstallOptions allowExec(boolean allow) {
        return new InstallOptions(frozen, offline, force, allow, mostBytes);
    }

    public InstallOptions mostBytes(long most) {
        return new InstallOptions(frozen, offline, force, allowExec, most);
    }

    /// The same for what is asked of a registry.
    public PullOptions pull() {
        return PullOptions.DEFAULT.offline(offline).refresh(!offline).mostBytes(mostBytes);
    }
}
