package dev.sheaf.client.agents;

import dev.sheaf.client.api.PullOptions;
import dev.sheaf.model.Namespace;
import java.util.List;

/// Options of an installation. Immutable: start with [#DEFAULT].
public final class InstallOptions {
    /// Replaces nothing, and refuses what runs programs, has findings of high severity, or is too large to be read for
    /// them.
    public static final InstallOptions DEFAULT = new InstallOptions(
            false, false, false, false, false, InstallConsent.NEVER, false, PullOptions.MOST_BYTES, List.of());

    private final boolean frozen;
    private final boolean offline;
    private final boolean force;
    private final boolean allowExec;
    private final boolean acceptFindings;
    private final InstallConsent consent;
    private final boolean purgeData;
    private final long mostBytes;
    private final List<Namespace> acceptedOwners;

    private InstallOptions(
            boolean frozen,
            boolean offline,
            boolean force,
            boolean allowExec,
            boolean acceptFindings,
            InstallConsent consent,
            boolean purgeData,
            long mostBytes,
            List<Namespace> acceptedOwners) {
        this.frozen = frozen;
        this.offline = offline;
        this.force = force;
        this.allowExec = allowExec;
        this.acceptFindings = acceptFindings;
        this.consent = consent;
        this.purgeData = purgeData;
        this.mostBytes = mostBytes;
        this.acceptedOwners = List.copyOf(acceptedOwners);
    }

    /// Returns whether exactly the locked content is installed.
    public boolean frozen() {
        return frozen;
    }

    /// Installs exactly the locked content, resolves nothing, and changes neither the list nor the lock.
    public InstallOptions frozen(boolean only) {
        return new InstallOptions(
                only, offline, force, allowExec, acceptFindings, consent, purgeData, mostBytes, acceptedOwners);
    }

    /// Returns whether only the cache and the lock are used.
    public boolean offline() {
        return offline;
    }

    /// Only uses the cache and the lock, and sends no request.
    public InstallOptions offline(boolean only) {
        return new InstallOptions(
                frozen, only, force, allowExec, acceptFindings, consent, purgeData, mostBytes, acceptedOwners);
    }

    /// Returns whether files that were edited, or that no installation wrote, are replaced.
    public boolean force() {
        return force;
    }

    /// Replaces files that were edited, or that no installation wrote.
    public InstallOptions force(boolean replace) {
        return new InstallOptions(
                frozen, offline, replace, allowExec, acceptFindings, consent, purgeData, mostBytes, acceptedOwners);
    }

    /// Returns whether things that run programs automatically are installed too.
    public boolean allowExec() {
        return allowExec;
    }

    /// Also installs things that run programs automatically, such as a skill with hooks.
    public InstallOptions allowExec(boolean allow) {
        return new InstallOptions(
                frozen, offline, force, allow, acceptFindings, consent, purgeData, mostBytes, acceptedOwners);
    }

    /// Returns whether things with findings of high severity are installed too.
    public boolean acceptFindings() {
        return acceptFindings;
    }

    /// Also installs things in which the skill passport has findings of high severity, or that are too large for it.
    public InstallOptions acceptFindings(boolean accept) {
        return new InstallOptions(
                frozen, offline, force, allowExec, accept, consent, purgeData, mostBytes, acceptedOwners);
    }

    /// Returns who is asked about such things if the two options above do not allow them.
    public InstallConsent consent() {
        return consent;
    }

    /// Asks about such things if the two options above do not allow them.
    public InstallOptions consent(InstallConsent asked) {
        return new InstallOptions(
                frozen, offline, force, allowExec, acceptFindings, asked, purgeData, mostBytes, acceptedOwners);
    }

    /// Returns whether the data that a removed plugin keeps is removed too.
    public boolean purgeData() {
        return purgeData;
    }

    /// Also removes the data that a removed plugin keeps.
    public InstallOptions purgeData(boolean purge) {
        return new InstallOptions(
                frozen, offline, force, allowExec, acceptFindings, consent, purge, mostBytes, acceptedOwners);
    }

    /// Returns the limit for the total size of one bundle's files, in bytes.
    public long mostBytes() {
        return mostBytes;
    }

    /// Sets the limit for the total size of one bundle's files, in bytes.
    public InstallOptions mostBytes(long most) {
        return new InstallOptions(
                frozen, offline, force, allowExec, acceptFindings, consent, purgeData, most, acceptedOwners);
    }

    /// Returns the namespaces of required bundles whose owners may have changed.
    public List<Namespace> acceptedOwners() {
        return acceptedOwners;
    }

    /// Accepts that the owners of namespaces of required bundles have changed since the versions were published.
    public InstallOptions acceptOwners(List<Namespace> namespaces) {
        return new InstallOptions(
                frozen, offline, force, allowExec, acceptFindings, consent, purgeData, mostBytes, namespaces);
    }

    /// Returns the corresponding options of a pull.
    public PullOptions pull() {
        return PullOptions.DEFAULT.offline(offline).refresh(!offline).mostBytes(mostBytes);
    }
}
