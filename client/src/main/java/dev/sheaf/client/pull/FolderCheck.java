package dev.sheaf.client.pull;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.RefusedPath;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.api.Verification;
import dev.sheaf.client.folder.OwnFolder;
import dev.sheaf.client.folder.TargetFolder;
import dev.sheaf.client.folder.WritableFiles;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Compares a folder with a bundle. Changes nothing in it.
public final class FolderCheck {

    private FolderCheck() {}

    public static Verification run(ResolvedBundle bundle, Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new SheafException.Local(
                    folder + (Files.exists(folder) ? " is a file, not a directory" : " does not exist"), null);
        }
        try {
            var target = TargetFolder.open(folder);
            var files = new ArrayList<Verification.Checked>();
            var refused = WritableFiles.refused(bundle.assets()).stream()
                    .map(RefusedPath::path)
                    .collect(Collectors.toSet());
            for (var asset : bundle.assets()) {
                String path = asset.path().value();
                files.add(new Verification.Checked(path, state(target, asset, refused.contains(path))));
            }
            var known = bundle.assets().stream()
                    .map(Asset::path)
                    .map(LogicalPath::value)
                    .collect(Collectors.toSet());
            others(folder, known).forEach(path -> files.add(new Verification.Checked(path, Verification.State.EXTRA)));
            return new Verification(
                    bundle.repository().toString(), bundle.version().toString(), bundle.manifest(), files);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + folder, e);
        }
    }

    private static Verification.State state(TargetFolder target, Asset asset, boolean refused) throws IOException {
        if (target.holds(asset.path(), asset.blob())) {
            return FileModes.isRight(target.place(asset.path()), asset.executable())
                    ? Verification.State.OK
                    : Verification.State.MODE;
        }
        if (Files.exists(target.place(asset.path()), LinkOption.NOFOLLOW_LINKS)) {
            return Verification.State.CHANGED;
        }
        return refused ? Verification.State.REFUSED : Verification.State.MISSING;
    }

    /// Returns the files that are not in the bundle. A folder of version control counts as one entry, unless
    /// the bundle has files in it.
    private static List<String> others(Path folder, Set<String> known) throws IOException {
        var found = new TreeSet<String>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
                String path = name(folder, inner);
                if (path.equals(OwnFolder.NAME)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                if (PathRules.VERSION_CONTROL.contains(String.valueOf(inner.getFileName()))
                        && !inner.equals(folder)
                        && known.stream().noneMatch(asset -> asset.startsWith(path + "/"))) {
                    found.add(path + "/");
                    return FileVisitResult.SKIP_SUBTREE;
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String path = name(folder, file);
                if (!known.contains(path)) {
                    found.add(path);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return List.copyOf(found);
    }

    private static String name(Path folder, Path inner) {
        return folder.relativize(inner).toString().replace('\\', '/');
    }
}
