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

/// Writes a bundle into a folder, completely or not at all. Unchanged files of an earlier pull are replaced, or
/// removed if the bundle no longer contains them. Other files belong to the user and are kept. If the bundle
/// contains a file with the same name, nothing is written, unless the options force it. Use an instance once,
/// while no other pull is working in the folder.
public final class FolderWriter {
    private static final int NAMED = 10;

    private final TargetFolder folder;
    private final OwnFolder own;
    private final FolderContents order;
    private final Progress progress;
    private final boolean force;
    private final PullReceipt before;
    private final PullReceipt.@Nullable Source source;
    private final List<Asset> wanted = new ArrayList<>();
    private final Set<Path> removable = new LinkedHashSet<>();
    private final List<LogicalPath> outdated = new ArrayList<>();
    private final List<String> conflicts = new ArrayList<>();

    public FolderWriter(TargetFolder folder, FolderContents order, Progress progress, boolean force)
            throws IOException {
        this.folder = folder;
        this.own = new OwnFolder(folder);
        this.order = order;
        this.progress = progress;
        this.force = force;
        this.before = own.receipt();
        this.source = before.of(order).orElse(null);
    }

    /// Writes the bundle. Returns false, without any change, if content in the cache is damaged.
    ///
    /// @throws SheafException.Conflict if a file of the user would be replaced; nothing is changed
    /// @throws SheafException.Local if a link or a folder is in the way; nothing is changed
    /// @throws SheafException.UnsafePaths if the folder would become a git repository together with earlier pulls;
    /// nothing is changed
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

    /// Checks the bundle together with earlier pulls: bundles that are harmless alone may be harmful in the
    /// same folder.
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

    /// Finds the files of the previous version that the new version does not contain.
    private void findOutdated() throws IOException {
        if (source == null) {
            return;
        }
        var current =
                order.assets().stream().map(asset -> asset.path().folded()).collect(Collectors.toSet());
        for (String name : source.files().keySet()) {
            var path = new LogicalPath(name);
            if (current.contains(path.folded())) {
                continue; // the same file if case is ignored
            }
            Path place = folder.place(path);
            if (folder.obstacle(place) == null && TargetFolder.isFile(place)) {
                if (isOurs(place, name)) {
                    outdated.add(path);
                    removable.add(place);
                } else {
                    progress.notice(place + " is kept: it is no longer in " + order.name() + ", but was changed here");
                }
            }
        }
    }

    private boolean isOurs(Path place, String name) throws IOException {
        for (Digest digest : PullReceipt.written(source, name)) {
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

    /// Returns whether the mode is unchanged since a pull wrote it; true if the mode was not recorded.
    private boolean isOurMode(Path place, String name) throws IOException {
        var modes = PullReceipt.modes(source, name);
        return modes.isEmpty() || modes.contains(FileModes.isExecutable(place));
    }

    /// Returns whether nothing remains in the folder once outdated files are removed.
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
                        + ", because it would replace files that were changed there or are not"
                        + " from " + order.name() + ": " + files + ". Move them away, or have them replaced",
                SheafException.Answer.none("changed-files"));
    }
}
