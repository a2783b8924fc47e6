package dev.sheaf.client.bundle;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.OwnFolder;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
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
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/// Lists the assets of a folder: all regular files, sorted by path, except files that [FolderRules] leave out.
/// It silently leaves out `.git` and other folders of version control, `.sheaf` with the records of pulls, and
/// `.DS_Store`. It does not follow links: it leaves out links and special files with a notice.
final class BundleFolder extends SimpleFileVisitor<Path> {
    /// Created by macOS in each folder that was opened in the Finder.
    private static final String FINDER = ".DS_Store";

    /// The replacement for invalid bytes in a file name.
    private static final char UNREADABLE = '\uFFFD';

    private final Path root;
    private final Progress progress;
    private final FolderRules rules;
    private final List<LocalAsset> assets = new ArrayList<>();
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final List<Problem.FieldError> errors = new ArrayList<>();
    private final Map<String, LogicalPath> folded = new HashMap<>();

    private BundleFolder(Path root, Progress progress, FolderRules rules) {
        this.root = root;
        this.rules = rules;
        this.progress = progress;
    }

    /// The content of a folder.
    ///
    /// @param assets sorted by path
    /// @param leftOut the files left out, in the order in which they were found
    record Found(List<LocalAsset> assets, List<LeftOut> leftOut) {
        Found {
            assets = List.copyOf(assets);
            leftOut = List.copyOf(leftOut);
        }
    }

    /// Reads a folder.
    ///
    /// @throws SheafException.InvalidRequest if a file name cannot be an asset's path, listing all such files, or
    /// if the folder has no files
    static Found read(Path folder, Progress progress, FolderRules rules) {
        check(folder);
        try {
            var found = new BundleFolder(folder.toRealPath(), progress, rules);
            boolean areKept = FileModes.areKept(found.root); // before the walk, which must not find the test file
            Files.walkFileTree(found.root, found);
            var assets = found.sorted();
            return new Found(
                    areKept ? assets : withModes(assets, GitModes.executables(found.root)::contains), found.leftOut);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + folder, e);
        }
    }

    static void check(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new SheafException.Local(
                    folder + (Files.exists(folder) ? " is a file, not a directory" : " does not exist"), null);
        }
    }

    private List<LocalAsset> sorted() {
        if (!errors.isEmpty()) {
            throw new SheafException.InvalidRequest(
                    errors.size() + (errors.size() == 1 ? " file has a name" : " files have names")
                            + " that a bundle cannot contain",
                    SheafException.Answer.NONE,
                    errors);
        }
        if (assets.isEmpty()) {
            LeftOut.tell(leftOut, progress);
            throw new SheafException.InvalidRequest(
                    root + " has no files" + (leftOut.isEmpty() ? "" : " except for those that are left out")
                            + "; a bundle needs at least one");
        }
        return assets.stream().sorted(Comparator.comparing(LocalAsset::path)).toList();
    }

    /// Returns the assets, executable if `executable` accepts their path.
    static List<LocalAsset> withModes(List<LocalAsset> assets, Predicate<String> executable) {
        return assets.stream()
                .map(asset -> asset.executable(executable.test(asset.path().value())))
                .toList();
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
        if (isVersionControl(folder) || folder.endsWith(OwnFolder.NAME)) {
            return FileVisitResult.SKIP_SUBTREE;
        }
        String path = folder.equals(root) ? "" : path(folder) + "/";
        var reason = path.isEmpty() ? Optional.<String>empty() : rules.folderExclusion(path);
        if (reason.isPresent()) {
            leftOut.add(new LeftOut(path, reason.get()));
            return FileVisitResult.SKIP_SUBTREE;
        }
        rules.enter(path);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (isVersionControl(file) || file.endsWith(FINDER)) {
            return FileVisitResult.CONTINUE; // such as the `.git` file of a worktree or submodule
        }
        String path = path(file);
        if (rules.isOwn(path)) {
            return FileVisitResult.CONTINUE;
        }
        var reason = rules.exclusion(path);
        if (reason.isPresent()) {
            leftOut.add(new LeftOut(path, reason.get()));
        } else if (!attributes.isRegularFile()) {
            progress.notice("left out " + path + ": " + (attributes.isSymbolicLink() ? "a link" : "not a file"));
        } else {
            add(path, file);
        }
        return FileVisitResult.CONTINUE;
    }

    private String path(Path file) {
        String path = StreamSupport.stream(root.relativize(file).spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("/"));
        return Normalizer.normalize(path, Normalizer.Form.NFC);
    }

    private static boolean isVersionControl(Path path) {
        return path.getFileName() != null
                && PathRules.VERSION_CONTROL.contains(path.getFileName().toString());
    }

    private void add(String text, Path file) {
        if (text.indexOf(UNREADABLE) >= 0) {
            errors.add(
                    new Problem.FieldError(
                            text,
                            "format",
                            "the name is not valid UTF-8, or contains U+FFFD, the replacement for invalid bytes; rename the file"));
            return;
        }
        try {
            var path = LogicalPath.parse(text);
            var other = folded.put(path.folded(), path);
            if (other == null) {
                assets.add(LocalAsset.of(path, file));
            } else {
                errors.add(new Problem.FieldError(text, "duplicate", clash(path, other)));
            }
        } catch (ProblemException e) {
            errors.add(new Problem.FieldError(text, "format", String.valueOf(e.getMessage())));
        }
    }

    private static String clash(LogicalPath path, LogicalPath other) {
        return path.equals(other)
                ? "two files have this name, one in Unicode normal form C (NFC) and one in another form, such as"
                        + " NFD; in a bundle they are the same: rename or remove one"
                : "differs from " + other + " only in upper and lower case";
    }
}
