package dev.sheaf.client.folder;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RefusedPath;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ByteSizes;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The files of a bundle that may be written to a folder. All paths and the total size are checked again here,
/// because the registry is not trusted and content published under older rules stays readable.
///
/// @param assets the files to write
/// @param refused the files to leave out
public record WritableFiles(List<Asset> assets, List<RefusedPath> refused) {
    public WritableFiles {
        assets = List.copyOf(assets);
        refused = List.copyOf(refused);
    }

    /// Checks the files of a bundle.
    ///
    /// @param name the name of the bundle, for people
    /// @throws SheafException.UnsafePaths see [#of(String, List, List, PullOptions)]
    public static WritableFiles of(String name, List<Asset> assets, PullOptions options) {
        return of(name, assets, List.of(), options);
    }

    /// @param nameless files whose names are not paths
    /// @throws SheafException.UnsafePaths if a path is refused and the options do not skip refused files, or no
    /// file remains
    public static WritableFiles of(String name, List<Asset> assets, List<RefusedPath> nameless, PullOptions options) {
        var refused = new ArrayList<>(nameless);
        refused.addAll(refused(assets));
        Set<String> names = new HashSet<>();
        refused.forEach(path -> names.add(path.path()));
        var left = assets.stream()
                .filter(asset -> !names.contains(asset.path().value()))
                .toList();
        if (!refused.isEmpty() && (!options.skipRefused() || left.isEmpty())) {
            throw new SheafException.UnsafePaths(name, refused, left.size());
        }
        return new WritableFiles(left, refused);
    }

    /// Returns a copy with newer information about these files, such as their modes.
    public WritableFiles with(List<Asset> known) {
        Set<LogicalPath> left = new HashSet<>();
        assets.forEach(asset -> left.add(asset.path()));
        return new WritableFiles(
                known.stream().filter(asset -> left.contains(asset.path())).toList(), refused);
    }

    public static List<RefusedPath> refused(List<Asset> assets) {
        var refused = new ArrayList<RefusedPath>();
        var paths = assets.stream().map(Asset::path).toList();
        PathRules.check(paths)
                .forEach(broken -> refused.add(new RefusedPath(broken.path().value(), broken.code(), broken.rule())));
        paths.stream()
                .filter(WritableFiles::isOurRecord)
                .forEach(path -> refused.add(
                        new RefusedPath(path.value(), "format", "is where this program keeps its own records")));
        return refused;
    }

    private static boolean isOurRecord(LogicalPath path) {
        return PathRules.isDisguise(path.value().split("/")[0], OwnFolder.NAME);
    }

    /// Refuses a bundle whose stated total size is above the limit of the options, before anything is fetched.
    ///
    /// @throws SheafException.InvalidRequest with the code `too-large`
    public static void checkSize(String name, List<Asset> assets, PullOptions options) {
        long left = options.mostBytes();
        for (var asset : assets) {
            left -= asset.blob().size(); // cannot overflow: neither value is negative
            if (left < 0) {
                throw new SheafException.InvalidRequest(
                        name + " is larger than " + ByteSizes.text(options.mostBytes()) + ", the limit for a pull",
                        "too-large");
            }
        }
    }
}
