package dev.sheaf.client;

import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.InstallReport;
import dev.sheaf.client.agents.InstalledBundle;
import dev.sheaf.client.agents.OutdatedBundle;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.agents.YankedBundle;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.install.AgentInstaller;
import dev.sheaf.client.install.BundleAccess;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.client.pull.ResolvedBundle;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.ResolvedRequirement;
import dev.sheaf.model.wire.bundle.VersionVerdict;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Installs skills, prompts and other content for agents into the folders that the agents read, in a project or
/// in a user's home. The file `sheaf-install.json` there lists the wanted bundles, `sheaf-install.lock` the
/// installed ones.
///
/// Every change is made completely or not at all: if a process is killed, the next process finishes the change.
/// Edited files are kept. If an edited file would have to be replaced, nothing is changed and
/// [SheafException.Conflict][dev.sheaf.client.api.SheafException.Conflict] names the file. Calls from several
/// threads and processes wait for each other.
public final class Installation {
    private final AgentInstaller installer;

    /// @param root the folder of the project, or the user's home
    /// @param clients returns the client for a registry; the caller closes it
    public Installation(Path root, InstallLevel level, Function<RegistryUrl, SheafClient> clients, Progress progress) {
        this(root, level, Directories.home(), clients, progress);
    }

    /// @param root the folder of the project, or the user's home
    /// @param home the user's home, where some programs have servers that they combine with others
    /// @param clients returns the client for a registry; the caller closes it
    public Installation(
            Path root, InstallLevel level, Path home, Function<RegistryUrl, SheafClient> clients, Progress progress) {
        this.installer = new AgentInstaller(root, level, home, new Clients(clients), progress, step -> {});
    }

    private record Clients(Function<RegistryUrl, SheafClient> clients) implements BundleAccess {
        @Override
        public PartFetch.Pinned resolve(RegistryUrl registry, Reference reference, PullOptions options) {
            var answer = clients.apply(registry).resolve(reference, options);
            var bundle = ResolvedBundle.of(reference, answer);
            return new PartFetch.Pinned(bundle.repository(), bundle.version(), bundle.manifest());
        }

        @Override
        public List<ResolvedRequirement> closure(
                RegistryUrl registry, PartFetch.Pinned pinned, PullOptions options, List<Namespace> acceptedOwners) {
            var answer = clients.apply(registry)
                    .bundle(pinned.bundle())
                    .resolveClosure(pinned.version().toString(), options.minAge(), acceptedOwners);
            var closure = answer.closure();
            return closure == null ? List.of() : closure;
        }

        @Override
        public Map<PartFetch.Pinned, VersionVerdict> verdicts(RegistryUrl registry, List<PartFetch.Pinned> pinned) {
            var asked = pinned.stream()
                    .map(one -> new Reference(one.bundle(), new VersionSelector.ByDigest(one.manifest())))
                    .toList();
            var answers = clients.apply(registry).verdicts(asked);
            var verdicts = new HashMap<PartFetch.Pinned, VersionVerdict>();
            for (int i = 0; i < Math.min(pinned.size(), answers.size()); i++) {
                verdicts.put(pinned.get(i), answers.get(i));
            }
            return verdicts;
        }

        @Override
        public @Nullable YankedBundle yanked(RegistryUrl registry, PartFetch.Pinned pinned, boolean offline) {
            var reference = new Reference(pinned.bundle(), new VersionSelector.ByVersion(pinned.version()));
            return clients.apply(registry)
                    .lastAnswer(reference, offline)
                    .map(Resolution::yank)
                    .map(yank -> new YankedBundle(
                            pinned.bundle(),
                            pinned.version(),
                            Objects.requireNonNullElse(yank.reason(), ""),
                            yank.replacement()))
                    .orElse(null);
        }

        @Override
        public PartFetch parts(RegistryUrl registry) {
            return clients.apply(registry).parts();
        }
    }

    /// Returns the installed bundles. Changes nothing. Asks each registry whether the versions were yanked; without an
    /// answer, its last one counts.
    public List<InstalledBundle> list() {
        return installer.list();
    }

    /// Returns the wanted bundles. Changes nothing and sends no request.
    public List<WantedBundle> wanted() {
        return installer.wanted();
    }

    /// Returns the ids of the agents in use: agents whose files are in the folder, and agents for which
    /// something is installed. If no agent is in use, returns the most common agents.
    public SortedSet<String> programs() {
        return installer.programs();
    }

    /// Returns the bundles that have a version other than the installed one. Changes nothing.
    public List<OutdatedBundle> outdated(PullOptions options) {
        return installer.outdated(options);
    }

    /// Adds these bundles and installs their current versions.
    ///
    /// @throws dev.sheaf.client.api.SheafException.NotFound if a bundle, or selected content of it, does not
    /// exist
    /// @throws dev.sheaf.client.api.SheafException.Integrity if the content of a version has changed since it was
    /// installed
    public InstallReport add(Collection<WantedBundle> wishes, InstallOptions options) {
        return installer.add(wishes, options);
    }

    /// Adds the skills that the npm program `skills` has installed from this registry, and takes over their
    /// files. Skills from other sources are skipped with a notice.
    ///
    /// @param file the `skills-lock.json` of that program
    public InstallReport adopt(Path file, RegistryUrl registry, InstallOptions options) {
        return installer.adopt(file, registry, options);
    }

    /// Installs the bundles in the two files: locked bundles in their locked version, other bundles in their
    /// current version.
    ///
    /// @throws dev.sheaf.client.api.SheafException.OutOfDate if the options allow only locked versions, and the
    /// lock does not match
    public InstallReport install(InstallOptions options) {
        return installer.install(options);
    }

    /// Updates bundles to the newest versions in their ranges. A recalled version for which the range has no other
    /// stays, and the report names it.
    ///
    /// @param which the bundles to update; empty means all
    public InstallReport update(Collection<RepositoryName> which, InstallOptions options) {
        return installer.update(which, options);
    }

    /// Removes a bundle, or some of its content. Does not install what else is missing.
    ///
    /// @param things the content to remove; empty means the whole bundle
    public InstallReport remove(RepositoryName bundle, Collection<ThingName> things, InstallOptions options) {
        return installer.remove(bundle, things, options);
    }

    /// Removes several bundles, all or none of them. Those that are not installed count as removed.
    public InstallReport remove(Collection<RepositoryName> bundles, InstallOptions options) {
        return installer.remove(bundles, options);
    }
}
