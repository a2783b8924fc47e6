package dev.sheaf.client;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.Installed;
import dev.sheaf.client.agents.Level;
import dev.sheaf.client.agents.Outdated;
import dev.sheaf.client.agents.Report;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.Wish;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.install.Installer;
import dev.sheaf.client.install.Supply;
import dev.sheaf.client.pull.Parts;
import dev.sheaf.client.pull.ResolvedBundle;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Function;

/// Installs skills and the like for agents, in a project or in the home of a user, in the folders where the agents
/// look. `sheaf-install.json` there says what to install, `sheaf-install.lock` what is installed.
///
/// Every change is made completely or not at all: if a process is killed, the next one finishes its change. Files
/// that were edited are kept; if one would have to be replaced, nothing is changed and
/// [SheafException.Conflict][dev.sheaf.client.api.SheafException.Conflict] names it. Calls from several threads
/// and processes wait for each other.
public final class Installation {
    private final Installer installer;

    /// @param root of the project, or the home
    /// @param clients returns the client for a registry; the caller closes it
    public Installation(Path root, Level level, Function<RegistryUrl, SheafClient> clients, Progress progress) {
        this.installer = new Installer(root, level, new Clients(clients), progress, step -> {});
    }

    private record Clients(Function<RegistryUrl, SheafClient> clients) implements Supply {
        @Override
        public Parts.Pinned resolve(RegistryUrl registry, Reference reference, PullOptions options) {
            var answer = clients.apply(registry).resolve(reference, options);
            var bundle = ResolvedBundle.of(reference, answer);
            return new Parts.Pinned(bundle.repository(), bundle.version(), bundle.manifest());
        }

        @Override
        public Parts parts(RegistryUrl registry) {
            return clients.apply(registry).parts();
        }
    }

    /// Returns what is installed. Changes nothing and sends no request.
    public List<Installed> list() {
        return installer.list();
    }

    /// Returns what should be installed. Changes nothing and sends no request.
    public List<Wish> wanted() {
        return installer.wanted();
    }

    /// Returns the ids of the agents used there: those with traces in the folder and those that something is
    /// installed for, or the most common agents if there are neither.
    public SortedSet<String> programs() {
        return installer.programs();
    }

    /// Returns the bundles that have another version. Changes nothing.
    public List<Outdated> outdated(PullOptions options) {
        return installer.outdated(options);
    }

    /// Adds these bundles and installs their current versions.
    ///
    /// @throws dev.sheaf.client.api.SheafException.NotFound if a bundle, or a thing in it, does not exist
    /// @throws dev.sheaf.client.api.SheafException.Integrity if the content of a version has changed since it was
    /// installed
    public Report add(Collection<Wish> wishes, InstallOptions options) {
        return installer.add(wishes, options);
    }

    /// Adds the skills that the npm program `skills` has installed from this registry, and takes over their files.
    /// Skills from elsewhere are skipped with a notice.
    ///
    /// @param file the `skills-lock.json` of that program
    public Report adopt(Path file, RegistryUrl registry, InstallOptions options) {
        return installer.adopt(file, registry, options);
    }

    /// Installs what the two files say: locked bundles as they are locked, others in their current version.
    ///
    /// @throws dev.sheaf.client.api.SheafException.OutOfDate if the options only allow what is locked, and the
    /// lock does not match
    public Report install(InstallOptions options) {
        return installer.install(options);
    }

    /// Updates bundles to the newest versions in their ranges.
    ///
    /// @param which empty: all
    public Report update(Collection<RepositoryName> which, InstallOptions options) {
        return installer.update(which, options);
    }

    /// Removes a bundle, or some things of it.
    ///
    /// @param things empty: the whole bundle
    public Report remove(RepositoryName bundle, Collection<ThingName> things, InstallOptions options) {
        return installer.remove(bundle, things, options);
    }
}
