package dev.sheaf.client.bundle;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.bundle.IgnoreRules.Verdict;
import dev.sheaf.client.io.Disk;
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

/// Which files of a folder are left out, and by what: what nobody publishes on purpose, then what the `.gitignore`
/// files of the folder name, then what its author says in `.sheafignore`. The last that says anything about a file
/// decides.
final class FolderRules {
    /// What tools and systems leave behind, and what holds secrets. An example of an `.env` is there to be read.
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

    /// The bundle's own description, which is no part of it.
    private static final Set<String> OWN = Set.of(BundleFile.NAME, BundleFile.IGNORE, "sheaf.lock");

    private final Path folder;
    private final String name;
    private final boolean described;
    private final boolean byGit;
    private final IgnoreRules author;
    private final List<Below> git = new ArrayList<>();

    /// The rules of a `.gitignore`, for what is below its folder.
    private record Below(String folder, IgnoreRules rules) {}

    private FolderRules(Path folder, @Nullable String named, boolean described, boolean byGit) {
        this.folder = folder;
        this.name = named == null ? BundleFile.IGNORE : named;
        this.described = described;
        this.byGit = byGit;
        this.author = read(folder, name);
    }

    /// @param file the folder's description; null where nothing describes it
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
            throw new SheafException.InvalidRequest(path + " is no text in UTF-8");
        } catch (IOException e) {
            throw Disk.failed("cannot read " + path, e);
        }
    }

    /// Notes what a folder of the folder has in its `.gitignore`.
    ///
    /// @param path of it, with a slash behind it; empty: of the folder itself
    void enter(String path) throws IOException {
        if (!byGit) {
            return; // who lists the assets means them: what is built is often ignored by git, and published
        }
        try {
            String text = OwnFile.read(folder, folder.resolve(path + GIT), OwnFile.LONGEST);
            git.add(new Below(path, IgnoreRules.ofGit(text.lines().toList())));
        } catch (NoSuchFileException | CharacterCodingException | SheafException.InvalidRequest e) {
            // none, or one that git does not read either
        }
    }

    /// Whether this is part of the description, which nobody need be told.
    boolean isOwn(String path) {
        return path.equals(name) || path.equals(BundleFile.IGNORE) || (described && OWN.contains(path));
    }

    /// What leaves this path out, as [LeftOut#by] has it.
    ///
    /// @param path of a file, or of a folder with a slash behind it
    Optional<String> leavingOut(String path) {
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

    /// What leaves a whole folder out, so that nobody need look into it.
    ///
    /// @param path of it, with a slash behind it
    Optional<String> leavingOutAll(String path) {
        return author.takesIn() ? Optional.empty() : leavingOut(path);
    }
}
