package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.InstallReport;
import dev.sheaf.client.agents.InstalledBundle;
import dev.sheaf.client.agents.OutdatedBundle;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.agents.YankedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.FolderLock;
import dev.sheaf.client.folder.FolderRewrite;
import dev.sheaf.client.folder.OwnFolder;
import dev.sheaf.client.folder.TargetFolder;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.wire.bundle.ResolvedRequirement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Brings the folders of agent programs into the state that `sheaf-install.json` describes, completely or not
/// at all. Only one installer works in a project at a time; others wait.
public final class AgentInstaller {
    private final Path root;
    private final InstallLevel level;
    private final Path home;
    private final BundleAccess supply;
    private final Progress progress;
    private final Consumer<String> probe;

    /// @param root the folder of the project, or the user's home
    /// @param home the user's home
    /// @param probe called before each step, for tests that end the process there
    public AgentInstaller(
            Path root, InstallLevel level, Path home, BundleAccess supply, Progress progress, Consumer<String> probe) {
        this.root = root;
        this.level = level;
        this.home = home;
        this.supply = supply;
        this.progress = progress;
        this.probe = probe;
    }

    private Path file(String name) {
        return root.resolve(level.folder() + name).toAbsolutePath();
    }

    private WishFile wishes() {
        return WishFile.read(file(WishFile.NAME));
    }

    private InstallLock lock() {
        return InstallLock.read(file(InstallLock.NAME), level);
    }

    /// Returns the bundles in the lock. Changes nothing. Asks each registry whether the versions were yanked or
    /// recalled.
    public List<InstalledBundle> list() {
        checkEnded();
        var entries = lock().entries().values();
        var yanks = new YankCheck(supply, false, false, progress::notice).among(entries);
        return entries.stream()
                .map(entry -> LockChanges.installed(entry, yanks.get(entry.bundle())))
                .toList();
    }

    /// Returns the wanted bundles. Changes nothing.
    public List<WantedBundle> wanted() {
        return List.copyOf(wishes().wishes().values());
    }

    /// Returns the ids of the programs with traces in the folder, and of the programs for which bundles are
    /// wanted; if there are no such programs, the usual ones.
    public SortedSet<String> programs() {
        var programs = new TreeSet<>(Agents.found(root));
        wishes().wishes().values().forEach(wish -> programs.addAll(wish.agents()));
        return programs.isEmpty() ? Agents.usual() : programs;
    }

    private void checkEnded() {
        try {
            if (TargetFolder.exists(root.toAbsolutePath()) && FolderRewrite.isUnfinished(TargetFolder.open(root))) {
                progress.notice("an installation was interrupted here; the next one finishes it");
            }
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + root, e);
        }
    }

    /// Returns the bundles that have a version other than the installed one, or whose installed version was yanked;
    /// first those that are wanted, then what they require. Changes nothing.
    public List<OutdatedBundle> outdated(PullOptions options) {
        var lock = lock();
        var outdated = new ArrayList<OutdatedBundle>();
        var yanks = new YankCheck(supply, options.offline(), false, progress::notice)
                .among(lock.entries().values());
        for (WantedBundle wish : wishes().wishes().values()) {
            var entry = lock.find(wish.bundle());
            var current = entry.map(LockedBundle::version).orElse(null);
            var yanked = yanks.get(wish.bundle());
            var wanted = version(wish.registry(), wish.reference(), options);
            var latest = version(wish.registry(), new Reference(wish.bundle(), new VersionSelector.Default()), options);
            if (current == null
                    || !current.equals(wanted)
                    || (latest != null && latest.compareTo(current) > 0)
                    || yanked != null) {
                outdated.add(new OutdatedBundle(
                        wish.bundle(),
                        wish.range().toString(),
                        Collections.emptySortedSet(),
                        current,
                        wanted,
                        latest,
                        yanked));
            }
        }
        outdated.addAll(outdatedRequired(lock, yanks, options));
        return List.copyOf(outdated);
    }

    private List<OutdatedBundle> outdatedRequired(
            InstallLock lock, Map<RepositoryName, YankedBundle> yanks, PullOptions options) {
        var file = wishes();
        var required = lock.entries().values().stream()
                .filter(entry -> file.find(entry.bundle()).isEmpty())
                .toList();
        if (required.isEmpty()) {
            return List.of();
        }
        var wanted = new HashMap<String, Version>();
        file.wishes().values().forEach(wish -> wanted.putAll(required(wish, options)));
        var outdated = new ArrayList<OutdatedBundle>();
        for (LockedBundle entry : required) {
            var yanked = yanks.get(entry.bundle());
            var next = wanted.get(entry.bundle().toString());
            if (!entry.version().equals(next) || yanked != null) {
                outdated.add(new OutdatedBundle(
                        entry.bundle(),
                        entry.range().toString(),
                        entry.requiredBy(),
                        entry.version(),
                        next,
                        version(
                                entry.registry(),
                                new Reference(entry.bundle(), new VersionSelector.Default()),
                                options),
                        yanked));
            }
        }
        return outdated;
    }

    /// Returns the versions that an update of a wanted bundle would install besides it.
    private Map<String, Version> required(WantedBundle wish, PullOptions options) {
        try {
            var pinned = supply.resolve(wish.registry(), wish.reference(), options);
            return supply.closure(wish.registry(), pinned, options, List.of()).stream()
                    .collect(Collectors.toMap(ResolvedRequirement::ref, one -> Version.parse(one.version())));
        } catch (SheafException.NotFound | SheafException.Conflict e) {
            progress.notice("what " + wish.bundle() + " requires is not known: " + e.getMessage());
            return Map.of();
        }
    }

    private @Nullable Version version(RegistryUrl registry, Reference reference, PullOptions options) {
        try {
            return supply.resolve(registry, reference, options).version();
        } catch (SheafException.NotFound e) {
            return null;
        }
    }

    /// Adds these bundles to the wanted ones and installs their current versions.
    ///
    /// @throws SheafException.Conflict if a file of the user would be replaced; after this and every other
    /// failure, nothing is changed
    public InstallReport add(Collection<WantedBundle> wishes, InstallOptions options) {
        var named = wishes.stream().collect(Collectors.toMap(WantedBundle::bundle, WantedBundle::things));
        return change(
                (file, lock) -> {
                    var all = file;
                    for (WantedBundle wish : wishes) {
                        var one = all.find(wish.bundle())
                                .map(old -> merged(old, wish))
                                .orElse(wish);
                        all = all.with(one);
                    }
                    return all;
                },
                new InstallRun.Lookup(named::containsKey, named),
                options.frozen(false));
    }

    /// Combines two wishes for the same bundle; a wish for everything includes the other.
    private static WantedBundle merged(WantedBundle old, WantedBundle more) {
        if (!old.registry().equals(more.registry())) {
            throw new SheafException.Conflict(
                    old.bundle() + " is installed from " + old.registry() + "; to install it from " + more.registry()
                            + ", remove it first",
                    SheafException.Answer.NONE);
        }
        boolean all = old.things().isEmpty() || more.things().isEmpty();
        var things = new TreeSet<>(old.things());
        things.addAll(more.things());
        var agents = new TreeSet<>(old.agents());
        agents.addAll(more.agents());
        return new WantedBundle(
                more.registry(),
                more.bundle(),
                more.range() instanceof VersionSelector.Default ? old.range() : more.range(),
                all ? new TreeSet<>() : things,
                agents,
                old.link() || more.link());
    }

    /// Adds the skills that the npm program `skills` has installed from this registry.
    ///
    /// @param file the `skills-lock.json` of that program
    public InstallReport adopt(Path file, RegistryUrl registry, InstallOptions options) {
        var wishes = new SkillsLock(registry, root, progress::notice).wishes(file.toAbsolutePath(), programs());
        if (wishes.isEmpty()) {
            throw new SheafException.InvalidRequest(
                    file + " contains no skills from " + registry + "; choose another registry, or install a bundle");
        }
        return add(wishes, options);
    }

    /// Installs the wanted bundles: locked bundles in their locked version, other bundles in their current
    /// version.
    ///
    /// @throws SheafException.OutOfDate if only locked bundles may be installed, and the lock does not match
    /// the wanted bundles
    public InstallReport install(InstallOptions options) {
        return change((file, lock) -> file, InstallRun.Lookup.NOTHING, options);
    }

    /// Updates bundles to the current versions of their ranges. A recalled version for which there is no other stays,
    /// and the report names it.
    ///
    /// @param which the bundles to update; empty means all
    public InstallReport update(Collection<RepositoryName> which, InstallOptions options) {
        return change(
                (file, lock) -> {
                    which.forEach(name -> wanted(file, name));
                    return file;
                },
                new InstallRun.Lookup(name -> which.isEmpty() || which.contains(name), Map.of()),
                options.frozen(false));
    }

    private WantedBundle wanted(WishFile file, RepositoryName bundle) {
        return file.find(bundle)
                .orElseThrow(() -> new SheafException.NotFound(
                        bundle + " is not in " + file(WishFile.NAME), SheafException.Answer.none("not-installed")));
    }

    /// Removes a bundle, or some things of it. Edited files are kept, and nothing else is written.
    ///
    /// @param things the things to remove; empty means the whole bundle
    public InstallReport remove(RepositoryName bundle, Collection<ThingName> things, InstallOptions options) {
        return change(
                (file, lock) -> {
                    refuseIfRequired(file, lock, bundle);
                    var wish = wanted(file, bundle);
                    var left = new TreeSet<>(wish.things());
                    if (left.isEmpty()) {
                        lock.find(bundle)
                                .ifPresent(entry -> left.addAll(entry.things().keySet()));
                    }
                    for (ThingName thing : things) {
                        if (!left.remove(thing)) {
                            throw new SheafException.NotFound(
                                    thing + " of " + bundle + " is not installed",
                                    SheafException.Answer.none("not-installed"));
                        }
                    }
                    return things.isEmpty() || left.isEmpty() ? file.without(bundle) : file.with(wish.withThings(left));
                },
                InstallRun.Lookup.REMOVAL,
                options.frozen(false));
    }

    /// Refuses to remove what is only installed because others require it.
    private void refuseIfRequired(WishFile file, InstallLock lock, RepositoryName bundle) {
        var by = lock.dependents(List.of(bundle));
        if (by.isEmpty()) {
            return;
        }
        if (file.find(bundle).isPresent()) {
            progress.notice(bundle + " stays, because " + String.join(", ", by) + " requires it");
            return;
        }
        throw new SheafException.Conflict(
                bundle + " is installed because " + String.join(", ", by) + " requires it; remove that instead",
                SheafException.Answer.none("required-here"));
    }

    /// Removes bundles, and those that require one of them. Edited files are kept.
    public InstallReport remove(Collection<RepositoryName> bundles, InstallOptions options) {
        return change(
                (file, lock) -> {
                    var rest = file;
                    for (RepositoryName bundle : bundles) {
                        rest = rest.without(bundle);
                    }
                    for (String name : lock.dependents(bundles)) {
                        var bundle = RepositoryName.parse(name);
                        if (!bundles.contains(bundle)) {
                            progress.notice(bundle + " goes too, because it requires what is removed");
                        }
                        rest = rest.without(bundle);
                    }
                    return rest;
                },
                InstallRun.Lookup.REMOVAL,
                options.frozen(false));
    }

    private InstallReport change(
            BiFunction<WishFile, InstallLock, WishFile> edit, InstallRun.Lookup lookup, InstallOptions options) {
        try {
            var folder = TargetFolder.open(root);
            try (var held = FolderLock.acquire(folder.root().resolve(OwnFolder.NAME))) {
                var rewrite = new FolderRewrite(folder, this::isOurs, progress, probe);
                rewrite.recover();
                var wishes = wishes();
                var lock = lock();
                var run = new InstallRun(folder, level, home, supply, progress, options);
                return run.carryOut(
                        new InstallRun.State(
                                wishes,
                                lock,
                                InstallLock.receipt(folder.root(), level).orElse(null)),
                        edit.apply(wishes, lock),
                        lookup,
                        rewrite);
            }
        } catch (IOException e) {
            throw DiskFailures.failed("cannot install in " + root, e);
        }
    }

    private boolean isOurs(String path) {
        return path.equals(level.folder() + WishFile.NAME)
                || path.equals(level.folder() + InstallLock.NAME)
                || path.equals(InstallLock.RECEIPT)
                || path.equals(InstallLock.IGNORE)
                || Agents.isWithin(path, level);
    }
}
