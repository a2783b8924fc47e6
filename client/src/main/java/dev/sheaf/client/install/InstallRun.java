package dev.sheaf.client.install;

import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.InstallReport;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.agents.YankedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.FolderRewrite;
import dev.sheaf.client.folder.PathState;
import dev.sheaf.client.folder.TargetFolder;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.model.RepositoryName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One run of an [AgentInstaller]: computes and carries out the steps to the wanted state. Use an instance once.
final class InstallRun {
    /// The files before the run.
    ///
    /// @param receipt the lock as it was last installed here; null if it is unknown
    record State(
            WishFile wishes, InstallLock lock, @Nullable InstallLock receipt) {
        /// Returns the lock as it was last installed here.
        Optional<InstallLock> here() {
            return Optional.ofNullable(receipt);
        }
    }

    /// The bundles to resolve again, even if they are locked.
    ///
    /// @param named things that must exist, by bundle
    /// @param isRemoval whether the run only removes: it writes nothing that is missing
    record Lookup(
            Predicate<RepositoryName> refresh, Map<RepositoryName, SortedSet<ThingName>> named, boolean isRemoval) {
        static final Lookup NOTHING = new Lookup(name -> false, Map.of(), false);
        static final Lookup REMOVAL = new Lookup(name -> false, Map.of(), true);

        Lookup(Predicate<RepositoryName> refresh, Map<RepositoryName, SortedSet<ThingName>> named) {
            this(refresh, named, false);
        }
    }

    private static final int NAMED = 3;

    private final TargetFolder folder;
    private final InstallLevel level;
    private final Path home;
    private final BundleAccess supply;
    private final Progress progress;
    private final InstallOptions options;
    private final InstallContents stock;
    private final YankCheck yanks;

    /// @param home the home of the user
    InstallRun(
            TargetFolder folder,
            InstallLevel level,
            Path home,
            BundleAccess supply,
            Progress progress,
            InstallOptions options) {
        this.folder = folder;
        this.level = level;
        this.home = home;
        this.supply = supply;
        this.progress = progress;
        this.options = options;
        this.stock = new InstallContents(supply, options, level, folder.root());
        this.yanks = new YankCheck(supply, options.offline(), options.frozen(), progress::notice);
    }

    InstallReport carryOut(State before, WishFile wanted, Lookup lookup, FolderRewrite rewrite) throws IOException {
        if (options.frozen()) {
            checkFrozen(before);
        }
        var entries = new ArrayList<LockedBundle>();
        for (WantedBundle wish : wanted.wishes().values()) {
            var old = before.lock().find(wish.bundle()).orElse(null);
            boolean isSame = before.wishes().find(wish.bundle()).equals(Optional.of(wish));
            if (!lookup.isRemoval() || old != null && !isSame) {
                entries.add(entry(wish, old, lookup));
            } else if (old != null) {
                entries.add(old);
            }
        }
        addRequired(entries, before.lock(), wanted, lookup);
        var yanked = List.copyOf(yanks.among(entries).values());
        yanked.forEach(one -> progress.notice(one.toString())); // also if the rest is refused
        var after = InstallLock.of(entries);
        var here = before.here().orElse(InstallLock.EMPTY);
        var configs = new ConfigFiles(folder);
        var recorded = new InstallPlan.Recorded(here, before.lock());
        var plan = new InstallPlan(folder, configs, recorded, after, options.force(), options.frozen());
        var left = lookup.isRemoval() ? left(here, after) : after;
        if (lookup.isRemoval()) {
            plan.lookToRemove(left);
        } else {
            plan.look();
        }
        refuseRecalled(yanked, plan);
        for (LockedBundle entry : entries) {
            stock.fetch(entry, plan.needed());
        }
        new CombinedServers(folder.root(), level, home).check(plan.steps(), stock);
        var contents = new ThingContents(folder, stock);
        new RunsCheck(plan, contents, options, progress).check(entries, here);
        new PassportNotice(plan, contents, options, progress).tell(entries, here);
        var steps = new ArrayList<>(configs.merged(plan.steps(), stock));
        int written = steps.size();
        int removed = (int) steps.stream()
                .filter(step -> step.after() instanceof PathState.Nothing)
                .count();
        var places = steps.stream()
                .filter(step -> !(step.after() instanceof PathState.Nothing))
                .map(step -> place(step.path()))
                .distinct()
                .sorted()
                .toList();
        if (!options.frozen()) {
            if (!wanted.equals(before.wishes())) {
                state(level.folder() + WishFile.NAME, wanted.text(), steps);
            }
            state(level.folder() + InstallLock.NAME, after.text(), steps);
        }
        if (!lookup.isRemoval() || before.receipt() != null) {
            receipt(left, steps);
        }
        var data = new PluginData(folder, level, progress);
        data.make(entries);
        progress.step(Progress.Step.CHANGING);
        rewrite.run(steps, stock);
        progress.step(Progress.Step.CHANGED);
        data.forget(before.lock(), after, options.purgeData());
        var installed = after.entries().values().stream()
                .flatMap(entry -> entry.standings().keySet().stream())
                .collect(Collectors.toSet());
        plan.kept()
                .forEach(path -> progress.notice(path + " is kept: it was changed here"
                        + (installed.contains(path)
                                ? ""
                                : ". It is no longer installed; delete it if you do not want it")));
        return new InstallReport(
                LockChanges.between(lookup.isRemoval() ? before.lock() : known(before, after, plan), after),
                written,
                removed,
                plan.kept(),
                places,
                yanked);
    }

    /// Adds the bundles that the wanted ones need, and notes who requires what.
    private void addRequired(List<LockedBundle> entries, InstallLock before, WishFile wanted, Lookup lookup)
            throws IOException {
        var required = new RequiredBundles(supply, options, progress);
        for (var entry : List.copyOf(entries)) {
            var wish = wanted.find(entry.bundle()).orElseThrow();
            var old = before.find(entry.bundle()).orElse(null);
            boolean isAsked = !lookup.isRemoval()
                    && !options.frozen()
                    && (old == null
                            || !old.manifest().equals(entry.manifest())
                            || lookup.refresh().test(entry.bundle()));
            if (isAsked) {
                ask(required, wish, entry, before);
            } else {
                required.keep(wish, before);
            }
        }
        entries.replaceAll(entry -> entry.requiredBy(required.requiredBy(entry.bundle())));
        for (var one : required.besides(wanted.wishes().values())) {
            var old = before.find(one.wish().bundle()).orElse(null);
            required.tell(one, old);
            boolean stays = options.frozen() || lookup.isRemoval();
            var entry = old != null && old.pinned().equals(one.pinned()) && (stays || old.satisfies(one.wish(), level))
                    ? old
                    : entry(one.wish(), one.pinned(), old, Lookup.NOTHING, true);
            entries.add(entry.requiredBy(one.requiredBy()));
        }
    }

    /// Asks what a version needs. A version that is installed already and was recalled stays as it is: people decide.
    private static void ask(RequiredBundles required, WantedBundle wish, LockedBundle entry, InstallLock before) {
        try {
            required.ask(wish, entry, before);
        } catch (SheafException e) {
            boolean isInstalled = before.find(entry.bundle())
                    .filter(old -> old.manifest().equals(entry.manifest()))
                    .isPresent();
            if (!isInstalled || !e.code().orElse("").equals(YankCheck.RECALLED)) {
                throw e;
            }
            required.keep(wish, before);
        }
    }

    /// Returns what is still installed here once something is removed from the lock.
    private static InstallLock left(InstallLock here, InstallLock after) {
        return InstallLock.of(here.entries().values().stream()
                .flatMap(entry ->
                        after.find(entry.bundle()).map(other -> entry.only(other.things()::containsKey)).stream())
                .toList());
    }

    /// Refuses to write what is recalled, and with a frozen lock also to leave it.
    private void refuseRecalled(List<YankedBundle> yanked, InstallPlan plan) {
        var written = plan.steps().stream().map(FolderRewrite.Step::path).toList();
        yanked.stream()
                .filter(YankedBundle::isRecalled)
                .filter(one -> options.frozen()
                        || one.places().stream()
                                .anyMatch(place -> written.stream().anyMatch(path -> isIn(place, path))))
                .findFirst()
                .ifPresent(one -> {
                    throw new SheafException.NotFound(one.toString(), SheafException.Answer.none("version-recalled"));
                });
    }

    private static boolean isIn(String place, String path) {
        return path.equals(place) || path.startsWith(place + "/");
    }

    /// Returns the folder of a program with this file, such as `.claude/skills`, or the file if it is in none.
    private static String place(String path) {
        String[] names = ConfigFiles.file(path).split("/");
        return names.length < 3 ? ConfigFiles.file(path) : names[0] + "/" + names[1];
    }

    /// Returns the bundles that were installed before. Without a receipt, as in a new clone, a locked bundle
    /// counts as installed if no file of it had to be written.
    private static InstallLock known(State before, InstallLock after, InstallPlan plan) {
        var written = plan.steps().stream().map(FolderRewrite.Step::path).collect(Collectors.toSet());
        return before.here()
                .orElseGet(() -> InstallLock.of(before.lock().entries().values().stream()
                        .filter(entry -> !after.entries().containsValue(entry)
                                || Collections.disjoint(entry.standings().keySet(), written))
                        .toList()));
    }

    /// Adds the receipt of the installation on this machine, and a file that makes git ignore it.
    private void receipt(InstallLock after, List<FolderRewrite.Step> steps) throws IOException {
        for (String path : List.of(InstallLock.RECEIPT, InstallLock.IGNORE)) {
            var place = folder.place(path);
            if (!after.entries().isEmpty()) {
                if (path.equals(InstallLock.RECEIPT) || level == InstallLevel.PROJECT) {
                    state(path, path.equals(InstallLock.RECEIPT) ? after.text() : "*\n", steps);
                }
            } else if (PathState.at(place) instanceof PathState.File file) {
                steps.addFirst(new FolderRewrite.Step(path, file, PathState.NOTHING));
            }
        }
    }

    private void checkFrozen(State before) {
        for (WantedBundle wish : before.wishes().wishes().values()) {
            var entry = before.lock().find(wish.bundle());
            if (entry.isEmpty() || !entry.get().satisfies(wish, level)) {
                throw outOfDate(
                        wish.bundle() + (entry.isEmpty() ? " is not in it" : " is in it with different settings"));
            }
        }
        var required = new RequiredBundles(supply, options, progress);
        before.wishes().wishes().values().forEach(wish -> required.keep(wish, before.lock()));
        for (LockedBundle entry : before.lock().entries().values()) {
            if (before.wishes().find(entry.bundle()).isEmpty()
                    && required.requiredBy(entry.bundle()).isEmpty()) {
                throw outOfDate(entry.bundle() + " is no longer wanted");
            }
        }
    }

    private boolean isRecalled(LockedBundle entry) {
        var withdrawn = yanks.among(List.of(entry)).get(entry.bundle());
        return withdrawn != null && withdrawn.isRecalled();
    }

    private static SheafException outOfDate(String why) {
        return new SheafException.OutOfDate(
                InstallLock.NAME + " does not match " + WishFile.NAME + ": " + why + "; nothing was written",
                "lock-mismatch");
    }

    private LockedBundle entry(WantedBundle wish, @Nullable LockedBundle old, Lookup lookup) throws IOException {
        boolean refresh = lookup.refresh().test(wish.bundle());
        if (old != null && !refresh && old.satisfies(wish, level)) {
            return old;
        }
        PartFetch.Pinned pinned;
        try {
            pinned = old != null && !refresh && old.isOf(wish) ? old.pinned() : resolve(wish, old);
        } catch (SheafException.NotFound e) {
            if (old != null
                    && !lookup.named().containsKey(wish.bundle())
                    && old.satisfies(wish, level)
                    && isRecalled(old)) {
                return old; // it does not hold up the update of the others, and the report names it
            }
            throw e;
        }
        return entry(wish, pinned, old, lookup, false);
    }

    /// @param isRequired whether others need it: then it may have nothing for the programs
    private LockedBundle entry(
            WantedBundle wish, PartFetch.Pinned pinned, @Nullable LockedBundle old, Lookup lookup, boolean isRequired)
            throws IOException {
        checkSame(wish, pinned, old);
        var named = lookup.named().getOrDefault(wish.bundle(), new TreeSet<>());
        boolean complete = wish.things().isEmpty()
                || Stream.concat(wish.things().stream(), named.stream())
                        .anyMatch(name -> name.kind() == ContentKind.MCP || name.kind() == ContentKind.PLUGIN);
        var things = stock.things(wish.registry(), pinned, complete);
        boolean isTold = old != null
                && old.manifest().equals(pinned.manifest())
                && old.things().keySet().containsAll(named);
        if (!isTold) {
            things.leftOut().forEach(progress::notice);
        }
        check(wish.things(), pinned, things);
        check(named, pinned, things);
        var plugin = things.plugin();
        var wanted = things.things().values().stream()
                .filter(thing -> wish.wants(thing.name()))
                .toList();
        var others = wanted.stream().filter(thing -> !plugin.has(thing.name())).toList();
        // a plugin runs programs: it is left out unless somebody asks for it, has it, or nothing else is there. What is
        // allowed to another thing of the bundle, or to all bundles of an update, does not ask for it
        boolean isNamed = lookup.named().containsKey(wish.bundle()) && named.isEmpty();
        boolean isLeftOut = wish.things().isEmpty()
                && plugin.folder() != null
                && !(options.allowExec() && (old == null || isNamed))
                && named.stream().noneMatch(plugin::has)
                && (old == null || old.things().keySet().stream().noneMatch(plugin::has))
                && others.stream()
                        .anyMatch(thing ->
                                !LockedBundle.Placed.places(wish, level, thing).isEmpty());
        var placed = placed(wish, isLeftOut ? others : wanted, pinned, isRequired);
        var notice = new PluginNotice(wish, level, pinned, things, progress);
        notice.check(placed);
        if (isLeftOut && (!isTold || lookup.named().containsKey(wish.bundle()))) {
            notice.leftOut();
        } else if (!isTold) {
            notice.tell();
        }
        if (!isTold && wish.things().isEmpty() && (isLeftOut || plugin.folder() == null)) {
            others(things.others(), pinned);
        }
        return LockedBundle.of(wish, pinned.version(), pinned.manifest(), placed);
    }

    /// Returns the places for each thing.
    private List<LockedBundle.Placed> placed(
            WantedBundle wish, List<BundlePart> things, PartFetch.Pinned pinned, boolean isRequired) {
        var placed = new ArrayList<LockedBundle.Placed>();
        for (BundlePart thing : things) {
            var places = LockedBundle.Placed.places(wish, level, thing);
            if (!places.isEmpty()) {
                placed.add(new LockedBundle.Placed(thing, places, LockedBundle.Placed.isLinked(wish, thing, places)));
            } else if (wish.things().isEmpty()) {
                progress.notice(thing.name() + " of " + pinned + " is left out: none of "
                        + String.join(", ", wish.agents()) + " supports it");
            } else {
                throw new SheafException.InvalidRequest("none of " + String.join(", ", wish.agents()) + " supports "
                        + thing.name() + "; nothing was written");
            }
        }
        if (placed.isEmpty() && !isRequired) {
            throw new SheafException.InvalidRequest(pinned + " contains nothing that "
                    + String.join(", ", wish.agents())
                    + " reads, such as a folder with a SKILL.md; a pull gets its files anyway");
        }
        return placed;
    }

    private void others(List<String> paths, PartFetch.Pinned pinned) {
        if (paths.isEmpty()) {
            return;
        }
        String named = paths.stream().limit(NAMED).collect(Collectors.joining(", "));
        progress.notice(pinned + ": left out " + (paths.size() == 1 ? "1 file" : paths.size() + " files") + " (" + named
                + (paths.size() > NAMED ? ", ..." : "") + "), because agent programs do not read such files; a pull"
                + " gets all files");
    }

    private PartFetch.Pinned resolve(WantedBundle wish, @Nullable LockedBundle old) {
        var pinned = pinned(wish);
        checkSame(wish, pinned, old);
        return pinned;
    }

    private static void checkSame(WantedBundle wish, PartFetch.Pinned pinned, @Nullable LockedBundle old) {
        if (old != null
                && old.registry().equals(wish.registry())
                && old.version().equals(pinned.version())
                && !old.manifest().equals(pinned.manifest())) {
            throw new SheafException.Integrity(wish.registry() + " says that " + pinned + " is " + pinned.manifest()
                    + ", but it was " + old.manifest() + " when it was installed. A version never changes, so nothing"
                    + " was written; ask its publisher before you remove and add it again");
        }
    }

    private PartFetch.Pinned pinned(WantedBundle wish) {
        try {
            return supply.resolve(wish.registry(), wish.reference(), options.pull());
        } catch (SheafException e) {
            throw e.withBundle(wish.bundle());
        }
    }

    private static void check(Set<ThingName> named, PartFetch.Pinned pinned, BundleParts things) {
        for (ThingName name : named) {
            if (!things.things().containsKey(name)) {
                throw new SheafException.NotFound(
                        pinned + " has no " + name + "; it has: "
                                + things.things().keySet().stream()
                                        .map(ThingName::toString)
                                        .collect(Collectors.joining(", ")),
                        SheafException.Answer.NONE);
            }
        }
    }

    private void state(String path, String text, List<FolderRewrite.Step> steps) throws IOException {
        var wish = new PathState.File(stock.put(text), null);
        var place = folder.place(path);
        if (!wish.standsAt(place)) {
            steps.add(new FolderRewrite.Step(path, PathState.at(place), wish));
        }
    }
}
