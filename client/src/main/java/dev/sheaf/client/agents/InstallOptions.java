package dev.sheaf.client.agents;

import dev.sheaf.client.api.PullOptions;

/// Options of an installation.
///
/// @param frozen install exactly the locked content, resolve nothing, and change neither the list nor the lock
/// @param offline only use the cache and the lock, and send no request
/// @param force replace files that were edited, or that no installation wrote
/// @param allowExec also install things that run programs automatically, such as a skill with hooks
/// @param acceptFindings also install things in which the skill passport has findings of high severity
/// @param consent asks about such things if the two options above do not allow them
/// @param mostBytes the limit for the total size of one bundle's files, in bytes
public record InstallOptions(
        boolean frozen,
        boolean offline,
        boolean force,
        boolean allowExec,
        boolean acceptFindings,
        InstallConsent consent,
        long mostBytes) {
    public static final InstallOptions DEFAULT =
            new InstallOptions(false, false, false, false, false, InstallConsent.NEVER, PullOptions.MOST_BYTES);

    public InstallOptions frozen(boolean only) {
        return new InstallOptions(only, offline, force, allowExec, acceptFindings, consent, mostBytes);
    }

    public InstallOptions offline(boolean only) {
        return new InstallOptions(frozen, only, force, allowExec, acceptFindings, consent, mostBytes);
    }

    public InstallOptions force(boolean replace) {
        return new InstallOptions(frozen, offline, replace, allowExec, acceptFindings, consent, mostBytes);
    }

    public InstallOptions allowExec(boolean allow) {
        return new InstallOptions(frozen, offline, force, allow, acceptFindings, consent, mostBytes);
    }

    public InstallOptions acceptFindings(boolean accept) {
        return new InstallOptions(frozen, offline, force, allowExec, accept, consent, mostBytes);
    }

    public InstallOptions consent(InstallConsent asked) {
        return new InstallOptions(frozen, offline, force, allowExec, acceptFindings, asked, mostBytes);
    }

    public InstallOptions mostBytes(long most) {
        return new InstallOptions(frozen, offline, force, allowExec, acceptFindings, consent, most);
    }

    /// Returns the corresponding options of a pull.
    public PullOptions pull() {
        return PullOptions.DEFAULT.offline(offline).refresh(!offline).mostBytes(mostBytes);
    }
}
