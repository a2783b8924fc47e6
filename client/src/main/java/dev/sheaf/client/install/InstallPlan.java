package dev.sheaf.client.install;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.FolderRewrite;
import dev.sheaf.client.folder.PathState;
import dev.sheaf.client.folder.TargetFolder;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Compares the recorded, the wanted and the current state of a folder. A place in its recorded state may be
/// replaced. Everything else belongs to the user: it is kept, and the run fails if it would have to be
/// replaced.
final class InstallPlan {
    private static final int NAMED = 10;

    private final TargetFolder folder;
    private final ConfigFiles configs;
    private final SortedMap<String, PathState> here;
    private final SortedMap<String, PathState> locked;
    private final SortedMap<String, PathState> wanted;
    private final boolean force;
    private final boolean strict;

    /// The recorded states. A place in one of these states may be replaced.
    ///
    /// @param here the lock as it was last installed here; a merge or a checkout may have changed the lock since
    /// @param locked the lock before the run
    record Recorded(InstallLock here, InstallLock locked) {}

    private final List<FolderRewrite.Step> steps = new ArrayList<>();
    private final Set<String> written = new HashSet<>(); // of the steps: where content is new
    private final List<String> kept = new ArrayList<>();
    private final List<String> conflicts = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();
    private final Set<Path> removed = new HashSet<>();

    /// @param force whether to replace edited files
    /// @param strict whether an edited file is a conflict even if nothing has to be written there
    InstallPlan(
            TargetFolder folder,
            ConfigFiles configs,
            Recorded recorded,
            InstallLock after,
            boolean force,
            boolean strict) {
        this.folder = folder;
        this.configs = configs;
        this.here = standings(recorded.here().entries().values());
        this.locked = standings(recorded.locked().entries().values());
        this.wanted = standings(after.entries().values());
        this.force = force;
        this.strict = strict;
    }

    /// @throws SheafException.Conflict if two bundles have things with the same name
    private static SortedMap<String, PathState> standings(Collection<LockedBundle> entries) {
        var owners = new TreeMap<String, LockedBundle>();
        var all = new TreeMap<String, PathState>();
        for (LockedBundle entry : entries) {
            for (var placed : entry.things().values()) {
                for (String place : placed.places()) {
                    var other = owners.put(place, entry);
                    if (other != null) {
                        throw new SheafException.Conflict(
                                "nothing was written: both " + other.bundle() + " and " + entry.bundle() + " have "
                                        + placed.thing().name() + ", which would go to " + place
                                        + "; select things from one of them",
                                SheafException.Answer.none("same-name"));
                    }
                }
            }
            all.putAll(entry.standings());
        }
        return all;
    }

    /// Examines the folder.
    ///
    /// @throws SheafException.Conflict if a file of the user is in the way
    /// @throws SheafException.Local if a link or a folder is in the way
    void look() throws IOException {
        remove(Set.of());
        for (var entry : wanted.entrySet()) {
            place(entry.getKey(), entry.getValue());
        }
        if (!foreign.isEmpty()) {
            throw new SheafException.Conflict(
                    "nothing was written, because a server with that name exists that sheaf did not write: "
                            + named(foreign) + ". Rename or remove it; it is never replaced",
                    SheafException.Answer.NONE);
        }
        if (!conflicts.isEmpty() && !force) {
            throw conflict();
        }
        steps.stream()
                .filter(step -> !(step.after() instanceof PathState.Nothing) && !isSameBut(step.after(), step.before()))
                .forEach(step -> written.add(step.path()));
    }

    /// Examines the folder for a run that only removes.
    ///
    /// @param stays what is left of the lock as it was last installed here
    void lookToRemove(InstallLock stays) throws IOException {
        remove(standings(stays.entries().values()).keySet());
    }

    /// Removes what is recorded and not wanted.
    private void remove(Set<String> stays) throws IOException {
        var recorded = new TreeSet<>(here.keySet());
        recorded.addAll(locked.keySet());
        recorded.removeAll(wanted.keySet());
        recorded.removeAll(stays);
        for (String path : recorded) {
            remove(path);
        }
    }

    private Path file(String path) {
        return folder.place(ConfigFiles.file(path));
    }

    private PathState at(String path) throws IOException {
        return ConfigFiles.isEntry(path) ? configs.at(path) : PathState.at(file(path));
    }

    private boolean stands(PathState standing, String path) throws IOException {
        return ConfigFiles.isEntry(path) ? standing.equals(configs.at(path)) : standing.standsAt(file(path));
    }

    /// Returns the state of a place if it is a recorded state; otherwise null.
    private @Nullable PathState ours(String path) throws IOException {
        for (var recorded : List.of(here, locked)) {
            var ours = recorded.get(path);
            if (ours != null && stands(ours, path)) {
                return ours instanceof PathState.File ? ours : at(path);
            }
        }
        return null;
    }

    private void remove(String path) throws IOException {
        Path place = file(path);
        if (folder.obstacle(place) != null) {
            kept.add(path);
            return;
        }
        if (stands(PathState.NOTHING, path)) {
            return;
        }
        var ours = ours(path);
        if (ours != null) {
            steps.add(new FolderRewrite.Step(path, ours, PathState.NOTHING));
        } else if (force && !(at(path) instanceof PathState.Other)) {
            steps.add(new FolderRewrite.Step(path, at(path), PathState.NOTHING));
        } else {
            kept.add(path);
            return;
        }
        if (!ConfigFiles.isEntry(path)) {
            removed.add(place);
        }
    }

    private void place(String path, PathState wish) throws IOException {
        Path place = file(path);
        Path obstacle = folder.obstacle(place);
        if (obstacle != null && !removed.contains(obstacle)) {
            throw TargetFolder.inTheWay(obstacle);
        }
        if (obstacle != null || stands(PathState.NOTHING, path)) {
            steps.add(new FolderRewrite.Step(path, PathState.NOTHING, wish));
            return;
        }
        if (stands(wish, path)) {
            return;
        }
        var there = at(path);
        var ours = ours(path);
        if (there instanceof PathState.Other && !goesAway(place)) {
            throw TargetFolder.inTheWay(place);
        } else if (there instanceof PathState.Other) {
            steps.add(new FolderRewrite.Step(path, PathState.NOTHING, wish));
        } else if (ours != null) {
            steps.add(new FolderRewrite.Step(path, ours, wish));
        } else if (ConfigFiles.isEntry(path) && !here.containsKey(path) && !locked.containsKey(path)) {
            foreign.add(path);
        } else if (!here.containsKey(path) && !locked.containsKey(path) && isSameBut(wish, there)) {
            steps.add(new FolderRewrite.Step(path, there, wish));
        } else if (!force && !strict && wish.equals(here.getOrDefault(path, locked.get(path)))) {
            kept.add(path);
        } else {
            conflicts.add(path);
            steps.add(new FolderRewrite.Step(path, there, wish));
        }
    }

    /// Returns whether only the mode differs, which other programs do not preserve.
    private static boolean isSameBut(PathState wish, PathState there) {
        return wish instanceof PathState.File one
                && there instanceof PathState.File other
                && one.digest().equals(other.digest());
    }

    /// Returns whether nothing remains in a folder once outdated files are removed.
    private boolean goesAway(Path place) throws IOException {
        try (var inside = Files.walk(place)) {
            return inside.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .allMatch(removed::contains);
        }
    }

    private SheafException conflict() {
        String why = strict
                ? ", because a frozen installation has exactly what the lock says, but these files were changed here or"
                        + " not installed by sheaf: " + named(conflicts)
                : ", because it would replace files that were changed here or not installed: " + named(conflicts)
                        + ". Move them away, or have them replaced";
        return new SheafException.Conflict(
                "nothing was written" + why,
                SheafException.Answer.none(strict ? "changed-locked-files" : "changed-files"));
    }

    private static String named(List<String> paths) {
        return paths.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (paths.size() > NAMED ? " and " + (paths.size() - NAMED) + " more" : "");
    }

    /// Returns the steps. A path may be the place of an entry in a file.
    List<FolderRewrite.Step> steps() {
        return List.copyOf(steps);
    }

    /// Returns the edited files, which are kept.
    List<String> kept() {
        return List.copyOf(kept);
    }

    /// Returns the files of a thing that are new at one of its places: their content is written there, or a link to the
    /// thing is. What a record says to be elsewhere does not count, since it may come with an untrusted repository.
    Set<String> fresh(LockedBundle.Placed placed) {
        var fresh = new TreeSet<String>();
        for (String place : placed.places()) {
            boolean isOne = placed.thing().isServer() || placed.isLink(place);
            placed.thing().files().keySet().stream()
                    .filter(inside -> written.contains(isOne ? place : BundlePart.file(place, inside)))
                    .forEach(fresh::add);
        }
        return fresh;
    }

    /// Returns the digests of the required content.
    Set<Digest> needed() {
        var digests = new HashSet<Digest>();
        for (var step : steps) {
            if (step.after() instanceof PathState.File file) {
                digests.add(file.digest());
            }
        }
        return digests;
    }
}
