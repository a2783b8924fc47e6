package dev.sheaf.client.folder;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.RefusedPath;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Puts a bundle into a folder, all of it or nothing. Files that an earlier pull wrote and nobody has changed are
/// replaced, and removed where the bundle no longer has them. Others are somebody's work: they stay, and where the
/// bundle has a file of that name nothing is written unless it was told to. Used once, while no other pull is at
/// work in that folder.
public final class Placement {
    private static final int NAMED = 10;

    private final TargetFolder folder;
    private final OwnFolder own;
    private final Contents order;
    private final Progress progress;
    private final boolean force;
    private final Receipt before;
    private final Receipt.@Nullable Source source;
    private final List<Asset> wanted = new ArrayList<>();
    private final Set<Path> removable = new LinkedHashSet<>();
    private final List<LogicalPath> outdated = new ArrayList<>();
    private final List<String> conflicts = new ArrayList<>();

    public Placement(TargetFolder folder, Contents order, Progress progress, boolean force) throws IOException {
        this.folder = folder;
        this.own = new OwnFolder(folder);
        this.order = order;
        this.progress = progress;
        this.force = force;
        this.before = own.receipt();
        this.source = before.of(order).orElse(null);
    }

    /// False where content turned out damaged in the cache; nothing is changed then.
    ///
    /// @throws SheafException.Conflict where a file that is not ours stands in the way; nothing is changed then
    /// @throws SheafException.Local where a link or a folder does; nothing is changed then
    /// @throws SheafException.UnsafePaths where it would make a git repository of the folder together with what was
    /// pulled there before; nothing is changed then
    public boolean run(BlobCache cache) throws IOException {
        own.removeLeftovers();
        checkBeside();
        findOutdated();
        for (var asset : order.assets()) {
            plan(asset);
        }
        if (!conflicts.isEmpty() && !force) {
            throw conflict();
        }
        try (own) {
            boolean good = true;
            for (var asset : wanted) {
                try (var out = own.stage(asset)) {
                    good &= cache.copy(asset.blob(), out);
                }
            }
            if (good) {
                carryOut();
            }
            return good;
        }
    }

    /// Of several bundles in one folder each may be good alone.
    private void checkBeside() {
        var paths = new LinkedHashSet<LogicalPath>();
        order.assets().forEach(asset -> paths.add(asset.path()));
        for (var other : before.sources()) {
            if (!other.equals(source)) {
                other.files().keySet().forEach(name -> paths.add(new LogicalPath(name)));
            }
        }
        var refused = PathRules.clashes(paths).stream()
                .filter(broken -> broken.code().equals("repository"))
                .map(broken -> new RefusedPath(broken.path().value(), broken.code(), broken.rule()))
                .toList();
        if (!refused.isEmpty()) {
            throw new SheafException.UnsafePaths(order.name(), refused, 0);
        }
    }

    private void carryOut() throws IOException {
        var after = before.after(order);
        var noted = before;
        if (!wanted.isEmpty() || !outdated.isEmpty()) {
            noted = before.during(order);
            progress.step(Progress.Step.CHANGING);
            own.note(noted);
            for (LogicalPath path : outdated) {
                folder.remove(path);
            }
            own.commit();
        }
        if (!after.equals(noted)) {
            own.note(after);
        }
    }

    /// What an earlier version had and this one has not.
    private void findOutdated() throws IOException {
        if (source == null) {
            return;
        }
        var current =
                order.assets().stream().map(asset -> asset.path().folded()).collect(Collectors.toSet());
        for (String name : source.files().keySet()) {
            var path = new LogicalPath(name);
            if (current.contains(path.folded())) {
                continue; // the same file where case is ignored
            }
            Path place = folder.place(path);
            if (folder.obstacle(place) == null && TargetFolder.isFile(place)) {
                if (isOurs(place, name)) {
                    outdated.add(path);
                    removable.add(place);
                } else {
                    progress.notice(place + " stays: it is no longer in " + order.name() + ", and was changed here");
                }
            }
        }
    }

    private boolean isOurs(Path place, String name) throws IOException {
        for (Digest digest : Receipt.written(source, name)) {
            if (TargetFolder.hasDigest(place, digest)) {
                return true;
            }
        }
        return false;
    }

    private void plan(Asset asset) throws IOException {
        var path = asset.path();
        Path place = folder.place(path);
        Path obstacle = folder.obstacle(place);
        if (obstacle != null && !removable.contains(obstacle)) {
            throw TargetFolder.inTheWay(obstacle);
        }
        if (obstacle != null || !TargetFolder.exists(place)) {
            wanted.add(asset);
        } else if (TargetFolder.isFile(place)) {
            planFile(asset, place);
        } else if (TargetFolder.isFolder(place) && goesAway(place)) {
            wanted.add(asset);
        } else {
            throw TargetFolder.inTheWay(place);
        }
    }

    private void planFile(Asset asset, Path place) throws IOException {
        String path = asset.path().value();
        boolean ours;
        if (!folder.holds(asset.path(), asset.blob())) {
            ours = isOurs(place, path);
        } else if (!FileModes.isRight(place, asset.executable())) {
            ours = isOurMode(place, path);
        } else {
            return;
        }
        wanted.add(asset);
        if (!ours) {
            conflicts.add(path);
        }
    }

    /// Whether nobody has changed the mode since; one that nothing was noted of may be anything.
    private boolean isOurMode(Path place, String name) throws IOException {
        var modes = Receipt.modes(source, name);
        return modes.isEmpty() || modes.contains(FileModes.isExecutable(place));
    }

    /// Whether nothing will be left of the folder once what is outdated is gone.
    private boolean goesAway(Path place) throws IOException {
        try (var inside = Files.walk(place)) {
            return inside.allMatch(path -> TargetFolder.isFolder(path) ? holdsSome(path) : removable.contains(path));
        }
    }

    private boolean holdsSome(Path inner) {
        return removable.stream().anyMatch(file -> file.startsWith(inner));
    }

    private SheafException conflict() {
        String files = conflicts.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (conflicts.size() > NAMED ? " and " + (conflicts.size() - NAMED) + " more" : "");
        return new SheafException.Conflict(
                "nothing was written to " + folder.root()
                        + ", because it would replace what was changed there or is not"
                        + " from " + order.name() + ": " + files + ". Move it away, or replace it: pull again with"
                        + " --force",
                SheafException.Answer.NONE);
    }
}
