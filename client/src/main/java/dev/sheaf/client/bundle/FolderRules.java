package dev.sheaf.client.bundle;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.bundle.IgnoreRules.Verdict;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.OwnFile;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides which files of a folder are left out. There are three sources of rules: built-in rules for files
/// that nobody publishes on purpose, the `.gitignore` files of the folder, and the author's `.sheafignore`. The
/// last matching rule decides.
final class FolderRules {
    /// Leftovers of tools and systems, and files with secrets. Example `.env` files are kept: they are meant to be
    /// read.
    private static final IgnoreRules USUAL = IgnoreRules.parse(List.of(
            "node_modules/",
            "__pycache__/",
            "*.pyc",
            ".env*",
            "!.env*.example",
            "!.env*.sample",
            "!.env*.template",
            "!.env.dist"));

    private static final String GIT = ".gitignore";

    /// The description of the bundle, which is not part of it.
    private static final Set<String> OWN = Set.of(BundleFile.NAME, BundleFile.IGNORE, "sheaf.lock");

    private final Path folder;
    private final String name;
    private final boolean described;
    private final boolean byGit;
    private final IgnoreRules author;
    private final List<Below> git = new ArrayList<>();

    /// The rules of a `.gitignore`, for its folder and everything below it.
    private record Below(String folder, IgnoreRules rules) {}

    private FolderRules(Path folder, @Nullable String named, boolean described, boolean byGit) {
        this.folder = folder;
        this.name = named == null ? BundleFile.IGNORE : named;
        this.described = described;
        this.byGit = byGit;
        this.author = read(folder, name);
    }

    /// @param file the folder's description; null if the folder has no description
    static FolderRules of(Path folder, @Nullable BundleFile file) {
        return file == null
                ? new FolderRules(folder, null, false, true)
                : new FolderRules(folder, file.ignore(), true, file.assets().isEmpty());
    }

    private static IgnoreRules read(Path folder, String name) {
        Path path = BundleSource.inside(folder, name);
        try {
            return IgnoreRules.parse(
                    OwnFile.read(folder, path, OwnFile.LONGEST).lines().toList());
        } catch (NoSuchFileException e) {
            return IgnoreRules.NONE;
        } catch (ProblemException e) {
            throw new SheafException.InvalidRequest(path + ": " + e.getMessage());
        } catch (CharacterCodingException e) {
            throw new SheafException.InvalidRequest(path + " is not valid UTF-8");
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + path, e);
        }
    }

    /// Reads the `.gitignore` of a subfolder.
    ///
    /// @param path the path of the subfolder with a slash at the end; empty for the folder itself
    void enter(String path) throws IOException {
        if (!byGit) {
            return; // the author lists the assets, often build results that git ignores
        }
        try {
            String text = OwnFile.read(folder, folder.resolve(path + GIT), OwnFile.LONGEST);
            git.add(new Below(path, IgnoreRules.ofGit(text.lines().toList())));
        } catch (NoSuchFileException | CharacterCodingException | SheafException.InvalidRequest e) {
            // missing, or not readable for git either
        }
    }

    /// Returns whether the file is part of the description, which is left out silently.
    boolean isOwn(String path) {
        return path.equals(name) || path.equals(BundleFile.IGNORE) || (described && OWN.contains(path));
    }

    /// Returns the reason for leaving this path out, see [LeftOut#by]; empty if it is not left out.
    ///
    /// @param path the path of a file, or of a folder with a slash at the end
    Optional<String> exclusion(String path) {
        var verdict = author.judge(path);
        if (verdict != Verdict.SILENT) {
            return Optional.of(name).filter(file -> verdict == Verdict.LEFT_OUT);
        }
        var nearest = git.reversed().stream()
                .filter(below -> path.startsWith(below.folder())
                        && path.length() > below.folder().length())
                .map(below -> below.rules().judge(path.substring(below.folder().length())))
                .filter(said -> said != Verdict.SILENT)
                .findFirst();
        if (nearest.isPresent()) {
            return Optional.of(GIT).filter(file -> nearest.get() == Verdict.LEFT_OUT);
        }
        return Optional.of(LeftOut.USUAL).filter(usual -> USUAL.judge(path) == Verdict.LEFT_OUT);
    }

    /// Returns the reason for leaving out a whole folder, which then need not be read; empty if it must be
    /// read.
    ///
    /// @param path the path of the folder with a slash at the end
    Optional<String> folderExclusion(String path) {
        return author.includesAgain() ? Optional.empty() : exclusion(path);
    }
}
