package dev.sheaf.client.bundle;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.OwnFolder;
import dev.sheaf.client.folder.TargetFolder;
import dev.sheaf.client.io.Disk;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/// Reads which files of a folder are its assets: all regular files, sorted by path. `.git` and its like are left out,
/// what pulls noted in `.sheaf`, `.DS_Store`, and what `.sheafignore` names. No link is followed: links and other
/// special files are left
/// out with a notice.
public final class BundleFolder extends SimpleFileVisitor<Path> {
    /// What macOS leaves in each folder that somebody looked at.
    private static final String FINDER = ".DS_Store";

    private final Path root;
    private final Progress progress;
    private final Predicate<String> wanted;
    private final List<LocalAsset> assets = new ArrayList<>();
    private final List<Problem.FieldError> errors = new ArrayList<>();
    private final Map<String, LogicalPath> folded = new HashMap<>();

    private BundleFolder(Path root, Progress progress, Predicate<String> wanted) {
        this.root = root;
        this.wanted = wanted;
        this.progress = progress;
    }

    /// @throws SheafException.InvalidRequest naming every file whose name cannot be a path of an asset, or where
    ///     the folder has no file
    public static List<LocalAsset> assetsOf(Path folder, Progress progress) {
        check(folder);
        var rules = BundleSource.ignored(folder, null);
        return assetsOf(folder, progress, path -> !rules.ignores(path) && !path.equals(BundleFile.IGNORE));
    }

    /// Only the files whose paths, with `/` between their parts, are `wanted`.
    public static List<LocalAsset> assetsOf(Path folder, Progress progress, Predicate<String> wanted) {
        check(folder);
        try {
            var found = new BundleFolder(folder.toRealPath(), progress, wanted);
            boolean areKept = FileModes.areKept(found.root); // of the folder, before a file of it is asked
            Files.walkFileTree(found.root, found);
            var assets = found.sorted();
            return areKept ? assets : withModes(assets, GitModes.executables(found.root)::contains);
        } catch (IOException e) {
            throw Disk.failed("cannot read " + folder, e);
        }
    }

    private static void check(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new SheafException.Local(
                    folder + (Files.exists(folder) ? " is a file, not a directory" : " does not exist"), null);
        }
    }

    private List<LocalAsset> sorted() {
        if (!errors.isEmpty()) {
            throw new SheafException.InvalidRequest(
                    errors.size() + " file(s) have names that a bundle cannot hold",
                    SheafException.Answer.NONE,
                    errors);
        }
        if (assets.isEmpty()) {
            throw new SheafException.InvalidRequest(root + " has no files; a bundle needs at least one");
        }
        return assets.stream().sorted(Comparator.comparing(LocalAsset::path)).toList();
    }

    /// The assets, of which those are executable whose paths are.
    public static List<LocalAsset> withModes(List<LocalAsset> assets, Predicate<String> executable) {
        return assets.stream()
                .map(asset -> asset.executable(executable.test(asset.path().value())))
                .toList();
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        return isVersionControl(folder) || folder.equals(root.resolve(OwnFolder.NAME))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (isVersionControl(file) || file.endsWith(FINDER)) {
            return FileVisitResult.CONTINUE; // such as the file of a worktree or submodule
        }
        String path = StreamSupport.stream(root.relativize(file).spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("/"));
        if (!wanted.test(Normalizer.normalize(path, Normalizer.Form.NFC))) {
            return FileVisitResult.CONTINUE;
        }
        if (!attributes.isRegularFile()) {
            progress.notice("left out " + path + ": " + (attributes.isSymbolicLink() ? "a link" : "not a file"));
        } else {
            add(Normalizer.normalize(path, Normalizer.Form.NFC), file);
        }
        return FileVisitResult.CONTINUE;
    }

    private static boolean isVersionControl(Path path) {
        return path.getFileName() != null
                && TargetFolder.VERSION_CONTROL.contains(path.getFileName().toString());
    }

    private void add(String text, Path file) {
        try {
            var path = LogicalPath.parse(text);
            var other = folded.put(path.folded(), path);
            if (other == null) {
                assets.add(LocalAsset.of(path, file));
            } else {
                errors.add(new Problem.FieldError(
                        text, "duplicate", "differs from " + other + " in upper and lower case only"));
            }
        } catch (ProblemException e) {
            errors.add(new Problem.FieldError(text, "format", String.valueOf(e.getMessage())));
        }
    }
}
