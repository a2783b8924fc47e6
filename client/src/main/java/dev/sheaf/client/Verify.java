package dev.sheaf.client;

import dev.sheaf.model.LogicalPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Compares a folder with what a bundle has. Reads only.
final class Verify {
    private Verify() {}

    static Verification run(ResolvedBundle bundle, Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new SheafException.Local(folder + " is not a directory", null);
        }
        try {
            var target = TargetFolder.open(folder);
            var files = new ArrayList<Verification.Checked>();
            for (var asset : bundle.assets()) {
                files.add(new Verification.Checked(asset.path().value(), state(target, asset)));
            }
            var known = bundle.assets().stream()
                    .map(ResolvedBundle.Asset::path)
                    .map(LogicalPath::value)
                    .collect(Collectors.toSet());
            others(folder, known).forEach(path -> files.add(new Verification.Checked(path, Verification.State.EXTRA)));
            return new Verification(
                    bundle.repository().toString(), bundle.version().toString(), bundle.manifest(), files);
        } catch (IOException e) {
            throw Disk.failed("cannot read " + folder, e);
        } catch (UncheckedIOException e) { // of the walk
            throw Disk.failed("cannot read " + folder, e);
        }
    }

    private static Verification.State state(TargetFolder target, ResolvedBundle.Asset asset) throws IOException {
        if (target.holds(asset.path(), asset.blob())) {
            return FileModes.isRight(target.place(asset.path()), asset.executable())
                    ? Verification.State.OK
                    : Verification.State.MODE;
        }
        return Files.exists(target.place(asset.path()), LinkOption.NOFOLLOW_LINKS)
                ? Verification.State.CHANGED
                : Verification.State.MISSING;
    }

    private static List<String> others(Path folder, Set<String> known) throws IOException {
        var found = new TreeSet<String>();
        try (var paths = Files.walk(folder)) {
            paths.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .map(path -> folder.relativize(path).toString().replace('\\', '/'))
                    .filter(path -> !known.contains(path) && !isNoAsset(path))
                    .forEach(found::add);
        }
        return List.copyOf(found);
    }

    private static boolean isNoAsset(String path) {
        return path.startsWith(TargetFolder.OWN + "/")
                || path.equals(".git")
                || path.startsWith(".git/")
                || path.contains("/.git/");
    }
}
