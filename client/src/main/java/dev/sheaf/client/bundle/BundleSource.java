package dev.sheaf.client.bundle;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Disk;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.client.io.OwnFile;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A folder with a `sheaf.yaml`, as its author works on it: which files are its assets, and what is wrong with
/// them. Reads only.
///
/// @param file null where there is none that can be used
/// @param assets sorted by path; empty where `file` is null
/// @param findings everything that is wrong: of the description, then of the files by path, each by line
public record BundleSource(Path folder, @Nullable BundleFile file, List<LocalAsset> assets, List<Finding> findings) {
    /// Bytes (contract 6).
    private static final long LARGEST_README = 512 << 10;

    private static final Set<String> OWN = Set.of(BundleFile.NAME, BundleFile.IGNORE, "sheaf.lock");

    public BundleSource {
        assets = List.copyOf(assets);
        findings = List.copyOf(findings);
    }

    /// Reads the folder, the description in it, and the front matter of each skill.
    public static BundleSource read(Path folder, Progress progress) {
        var reader = new BundleFileReader();
        var findings = new ArrayList<Finding>();
        BundleFile file = null;
        try {
            file = reader.read(OwnFile.read(folder, folder.resolve(BundleFile.NAME), OwnFile.LONGEST));
        } catch (NoSuchFileException e) {
            findings.add(Finding.error(BundleFile.NAME, 0, "there is none; to make one: sheaf init NAMESPACE/BUNDLE"));
        } catch (CharacterCodingException e) {
            findings.add(Finding.error(BundleFile.NAME, 0, "this is no text in UTF-8"));
        } catch (SheafException.InvalidRequest e) {
            findings.add(Finding.error(BundleFile.NAME, 0, String.valueOf(e.getMessage())));
        } catch (IOException e) {
            throw Disk.failed("cannot read " + folder.resolve(BundleFile.NAME), e);
        }
        findings.addAll(reader.findings());
        if (file != null) {
            checkNamed(folder, file, reader, findings);
        }
        var assets = file == null ? BundleFolder.assetsOf(folder, progress) : assets(folder, file, progress, findings);
        if (file != null && !file.executable().isEmpty()) {
            assets = withModes(folder, file, assets);
        }
        findings.addAll(SkillLint.check(file == null ? null : file.slug().value(), assets));
        findings.sort(Comparator.comparing((Finding finding) -> !finding.file().equals(BundleFile.NAME))
                .thenComparing(Finding::file)
                .thenComparingInt(Finding::line));
        return new BundleSource(folder, file, file == null ? List.of() : assets, findings);
    }

    /// What in its assets looks like a secret. A push tells the same before it sends anything.
    public List<Finding> secrets() {
        return SecretLint.check(assets);
    }

    /// Whether it can be published as it is.
    public boolean isSound() {
        return findings.stream().noneMatch(finding -> finding.severity() == Finding.Severity.ERROR);
    }

    private static List<LocalAsset> assets(Path folder, BundleFile file, Progress progress, List<Finding> findings) {
        var all = candidates(folder, file.ignore(), progress);
        if (file.assets().isEmpty()) {
            return all;
        }
        Map<LogicalPath, LocalAsset> chosen = new TreeMap<>();
        for (var pattern : file.assets()) {
            var glob = Glob.of(pattern.path());
            var matching = all.stream()
                    .filter(asset -> glob.matches(asset.path().value()))
                    .collect(Collectors.toList());
            matching.forEach(asset -> chosen.put(asset.path(), typed(asset, pattern.type())));
            if (matching.isEmpty()) {
                findings.add(
                        Finding.error(BundleFile.NAME, pattern.line(), "no file matches \"" + pattern.path() + "\""));
            }
        }
        return List.copyOf(chosen.values());
    }

    /// What the description says of modes counts where the file system has none of its own.
    private static List<LocalAsset> withModes(Path folder, BundleFile file, List<LocalAsset> assets) {
        try {
            return FileModes.areKept(folder) ? assets : BundleFolder.withModes(assets, file::isExecutable);
        } catch (IOException e) {
            throw Disk.failed("cannot read " + folder, e);
        }
    }

    /// What is an asset where no pattern says otherwise.
    ///
    /// @param ignore the file that names what is left out; the usual one where null
    static List<LocalAsset> candidates(Path folder, @Nullable String ignore, Progress progress) {
        var rules = ignored(folder, ignore);
        return BundleFolder.assetsOf(
                folder, progress, path -> !rules.ignores(path) && !OWN.contains(path) && !path.equals(ignore));
    }

    private static LocalAsset typed(LocalAsset asset, @Nullable AssetType type) {
        return type == null ? asset : asset.typed(type);
    }

    private static void checkNamed(Path folder, BundleFile file, BundleFileReader reader, List<Finding> findings) {
        checkFile(folder, "readme", file.readme(), reader, findings);
        checkFile(folder, "ignore", file.ignore(), reader, findings);
        String readme = file.readme();
        if (readme == null) {
            return;
        }
        int line = reader.line("readme");
        if (inside(folder, readme).toFile().length() > LARGEST_README) {
            findings.add(Finding.error(BundleFile.NAME, line, "readme: " + readme + " is larger than 512 KiB"));
        }
        if (leadsOut(folder, inside(folder, readme))) {
            findings.add(Finding.error(
                    BundleFile.NAME, line, "readme: " + readme + " is a link to a place outside of this folder"));
        }
    }

    /// Whether a link on the way leaves the folder: what lies there is not the author's to publish.
    private static boolean leadsOut(Path folder, Path file) {
        try {
            return Files.exists(file) && !file.toRealPath().startsWith(folder.toRealPath());
        } catch (IOException e) {
            throw Disk.failed("cannot read " + file, e);
        }
    }

    private static void checkFile(
            Path folder, String member, @Nullable String path, BundleFileReader reader, List<Finding> findings) {
        if (path != null && !Files.isRegularFile(inside(folder, path))) {
            findings.add(Finding.error(
                    BundleFile.NAME, reader.line(member), member + ": there is no file " + path + " in this folder"));
        }
    }

    /// What the file of this name leaves out, or where it is null the usual one; nothing where there is none.
    static IgnoreRules ignored(Path folder, @Nullable String named) {
        Path path = inside(folder, named == null ? BundleFile.IGNORE : named);
        try {
            return IgnoreRules.parse(
                    OwnFile.read(folder, path, OwnFile.LONGEST).lines().toList());
        } catch (NoSuchFileException e) {
            return IgnoreRules.NONE;
        } catch (ProblemException e) {
            throw new SheafException.InvalidRequest(path + ": " + e.getMessage());
        } catch (IOException e) {
            throw Disk.failed("cannot read " + path, e);
        }
    }

    /// A file of the folder, never one outside. Absolute, since of the relative paths none begins with that of
    /// the working directory, which is empty.
    static Path inside(Path folder, String path) {
        Path root = folder.toAbsolutePath().normalize();
        try {
            Path file = root.resolve(path).normalize();
            if (file.startsWith(root)) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw new SheafException.InvalidRequest(Quoted.of(path) + " is no path of a file");
        }
        throw new SheafException.InvalidRequest(path + " leaves the folder of " + BundleFile.NAME);
    }

    /// The README that is published with the bundle, or null.
    public @Nullable Path readme() {
        String named = file == null ? null : file.readme();
        return named == null ? null : inside(folder, named);
    }
}
