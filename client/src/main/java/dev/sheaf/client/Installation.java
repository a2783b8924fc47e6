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

/// What is installed in a project, or in the home of a user, for programs for agents: skills and the like, in the
/// folders where these programs look. `sheaf-install.json` there says what is wanted, `sheaf-install.lock` what is
/// there.
///
/// Every change is made as a whole or not at all, whatever stops it: what a process that was killed has begun, the next
/// one ends. Files that somebody has changed stay as they are; where something else would have to stand in their place,
/// nothing is changed and [SheafException.Conflict][dev.sheaf.client.api.SheafException.Conflict] names them. Calls of
/// several threads and processes wait for one another.
public final class Installation {
    private final Installer installer;

    /// @param root of the project, or the home
    /// @param clients gives a client of each registry that is asked; whoever makes them closes them
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

    /// What is installed. Changes nothing and asks nobody.
    public List<Installed> list() {
        return installer.list();
    }

    /// What is wanted. Changes nothing and asks nobody.
    public List<Wish> wanted() {
        return installer.wanted();
    }

    /// The ids of the programs that are used there: those that it shows signs of, and those for which something is
    /// installed; of the most usual ones where there is neither.
    public SortedSet<String> programs() {
        return installer.programs();
    }

    /// Of which bundles there is another version. Changes nothing.
    public List<Outdated> outdated(PullOptions options) {
        return installer.outdated(options);
    }

    /// Wants these bundles besides, and installs what their registries say of them now.
    ///
    /// @throws dev.sheaf.client.api.SheafException.NotFound where a bundle or a thing of it does not exist
    /// @throws dev.sheaf.client.api.SheafException.Integrity where a version is no longer what it was when it
    ///     was
    ///     installed
    public Report add(Collection<Wish> wishes, InstallOptions options) {
        return installer.add(wishes, options);
    }

    /// Wants the skills besides that the program `skills` of npm has installed from this registry, and takes over
    /// their files. What is from elsewhere is left out, with a notice.
    ///
    /// @param file the `skills-lock.json` of that program
    public Report adopt(Path file, RegistryUrl registry, InstallOptions options) {
        return installer.adopt(file, registry, options);
    }

    /// Has the folders as the two files say: what is locked as it is locked, the rest as the registry says now.
    ///
    /// @throws dev.sheaf.client.api.SheafException.OutOfDate where the options say to install what is locked
    ///     alone, and
    ///     that is not what is wanted
    public Report install(InstallOptions options) {
        return installer.install(options);
    }

    /// Takes what the ranges mean now.
    ///
    /// @param which none: all
    public Report update(Collection<RepositoryName> which, InstallOptions options) {
        return installer.update(which, options);
    }

    /// Wants a bundle no longer, or some things of it.
    ///
    /// @param things none: all of it
    public Report remove(RepositoryName bundle, Collection<ThingName> things, InstallOptions options) {
        return installer.remove(bundle, things, options);
    }
}
