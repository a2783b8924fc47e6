package dev.sheaf.client.bundle;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.client.io.OwnFile;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Reference;
import dev.sheaf.model.plugin.DerivedPlugin;
import dev.sheaf.model.plugin.PluginManifest;
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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An author's folder with a bundle: its description `sheaf.yaml`, its assets, and the problems found. Reading
/// it changes nothing.
///
/// @param file null if it is unusable
/// @param assets sorted by path; if `file` is null, all files that are not left out
/// @param findings all problems: first of the description, then of the files ordered by path; each ordered by
/// line
/// @param leftOut the files that are not assets, except the description and files of version control
public record BundleSource(
        Path folder,
        @Nullable BundleFile file,
        List<LocalAsset> assets,
        List<Finding> findings,
        List<LeftOut> leftOut) {
    /// The limit in bytes (contract 6).
    private static final long LARGEST_README = 512 << 10;

    public BundleSource {
        assets = List.copyOf(assets);
        findings = List.copyOf(findings);
        leftOut = List.copyOf(leftOut);
    }

    /// Reads the folder, its description, and the front matter of each skill. Reports the left-out files to
    /// `progress`.
    public static BundleSource read(Path folder, Progress progress) {
        return read(folder, null, progress);
    }

    /// Reads the folder, to publish it as the version in `reference`, even if the description names another
    /// one. Without a description, all files are assets.
    ///
    /// @param reference a reference with an exact version; null to use the description's
    /// @throws SheafException.InvalidRequest if `reference` has no exact version
    public static BundleSource read(Path folder, @Nullable Reference reference, Progress progress) {
        BundleFolder.check(folder);
        var reader = new BundleFileReader(reference);
        var findings = new ArrayList<Finding>();
        boolean there = true;
        BundleFile file = null;
        try {
            file = reader.read(OwnFile.read(folder, folder.resolve(BundleFile.NAME), OwnFile.LONGEST));
        } catch (NoSuchFileException e) {
            there = false;
            file = reader.absent();
        } catch (CharacterCodingException e) {
            findings.add(Finding.error(BundleFile.NAME, 0, "not valid UTF-8"));
        } catch (SheafException.InvalidRequest e) {
            findings.add(Finding.error(BundleFile.NAME, 0, String.valueOf(e.getMessage())));
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + folder.resolve(BundleFile.NAME), e);
        }
        findings.addAll(reader.findings());
        if (file != null) {
            checkNamed(folder, file, reader, findings);
        }
        var found = BundleFolder.read(folder, progress, FolderRules.of(folder, there ? file : null));
        var leftOut = new ArrayList<>(found.leftOut());
        var assets = file == null ? found.assets() : chosen(found.assets(), file, findings, leftOut);
        if (file != null) {
            assets = withoutDerived(file.slug().value(), assets, leftOut);
        }
        if (file != null && !file.executable().isEmpty()) {
            assets = withModes(folder, file, assets);
        }
        LeftOut.tell(leftOut, progress);
        String slug = file == null ? null : file.slug().value();
        var ofContent = new ArrayList<>(SkillLint.check(slug, assets));
        ofContent.addAll(PluginLint.check(slug, file == null ? null : file.version(), assets));
        findings.addAll(there ? ofContent : Finding.asWarnings(ofContent));
        findings.sort(Comparator.comparing((Finding finding) -> !finding.file().equals(BundleFile.NAME))
                .thenComparing(Finding::file)
                .thenComparingInt(Finding::line));
        return new BundleSource(folder, file, assets, findings, leftOut);
    }

    /// Returns the files of a folder without a description. Reports the left-out files to `progress`.
    ///
    /// @throws SheafException.InvalidRequest if a file name cannot be an asset's path, listing all such files, or
    /// if the folder has no files
    public static List<LocalAsset> assetsOf(Path folder, Progress progress) {
        var found = BundleFolder.read(folder, progress, FolderRules.of(folder, null));
        LeftOut.tell(found.leftOut(), progress);
        return found.assets();
    }

    /// Returns the probable secrets in its assets. A push refuses them unless the options allow them.
    public List<Finding> secrets() {
        return SecretLint.check(assets);
    }

    /// Returns the findings of medium and high severity that the skill passport of a registry will have. They do
    /// not prevent publishing.
    public List<Finding> passportFindings() {
        return PassportLint.check(assets);
    }

    /// Returns whether the folder has a description.
    public boolean isDescribed() {
        return Files.exists(folder.resolve(BundleFile.NAME));
    }

    /// Returns whether it can be published as it is.
    public boolean isSound() {
        return findings.stream().noneMatch(finding -> finding.severity() == Finding.Severity.ERROR);
    }

    /// Returns the assets that the description lists; all assets if it has no list.
    private static List<LocalAsset> chosen(
            List<LocalAsset> all, BundleFile file, List<Finding> findings, List<LeftOut> leftOut) {
        if (file.assets().isEmpty()) {
            return all;
        }
        Map<LogicalPath, LocalAsset> chosen = new TreeMap<>();
        for (var pattern : file.assets()) {
            var glob = Glob.of(pattern.path());
            var matching = all.stream()
                    .filter(asset -> glob.matches(asset.path().value()))
                    .toList();
            matching.forEach(asset -> chosen.put(asset.path(), typed(asset, pattern.type())));
            if (matching.isEmpty()) {
                findings.add(Finding.error(
                        BundleFile.NAME,
                        pattern.line(),
                        "no file matches \"" + pattern.path() + "\"" + hint(glob, leftOut)));
            }
        }
        all.stream()
                .map(LocalAsset::path)
                .filter(path -> !chosen.containsKey(path))
                .forEach(path -> leftOut.add(new LeftOut(path.value(), LeftOut.UNNAMED)));
        return List.copyOf(chosen.values());
    }

    /// Leaves out the manifests that a registry has derived for an earlier version.
    private static List<LocalAsset> withoutDerived(String slug, List<LocalAsset> all, List<LeftOut> leftOut) {
        return all.stream()
                .filter(asset -> {
                    boolean isDerived = DerivedPlugin.mayBe(asset.path())
                            && DerivedPlugin.isDerived(
                                    slug, asset.path(), SkillLint.beginning(asset, PluginManifest.MAX_BYTES + 1));
                    if (isDerived) {
                        leftOut.add(new LeftOut(asset.path().value(), LeftOut.DERIVED));
                    }
                    return !isDerived;
                })
                .toList();
    }

    /// Explains why a pattern matches nothing, if a matching file was left out before; otherwise empty.
    private static String hint(Glob glob, List<LeftOut> leftOut) {
        return leftOut.stream()
                .filter(file -> glob.matches(file.path()))
                .findFirst()
                .map(file -> "; " + file.path() + " is left out " + (file.by().equals(LeftOut.USUAL) ? "" : "by ")
                        + file.by() + ", and a line \"!" + file.path() + "\" in " + BundleFile.IGNORE
                        + " includes it")
                .orElse("");
    }

    /// Applies the description's modes if the file system does not keep modes.
    private static List<LocalAsset> withModes(Path folder, BundleFile file, List<LocalAsset> assets) {
        try {
            return FileModes.areKept(folder) ? assets : BundleFolder.withModes(assets, file::isExecutable);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + folder, e);
        }
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
            findings.add(Finding.error(BundleFile.NAME, line, "readme: " + readme + " is a link out of this folder"));
        }
    }

    /// Returns whether a link on the path leads out of the folder. Content outside of it must not be published.
    private static boolean leadsOut(Path folder, Path file) {
        try {
            return Files.exists(file) && !file.toRealPath().startsWith(folder.toRealPath());
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + file, e);
        }
    }

    private static void checkFile(
            Path folder, String member, @Nullable String path, BundleFileReader reader, List<Finding> findings) {
        if (path != null && !Files.isRegularFile(inside(folder, path))) {
            findings.add(Finding.error(
                    BundleFile.NAME,
                    reader.line(member),
                    member + ": the file " + path + " does not exist in this folder"));
        }
    }

    /// Returns the path of a file in the folder, and refuses a path outside of it. The result is absolute: as a
    /// relative path, the working directory is empty, so other relative paths do not begin with it.
    static Path inside(Path folder, String path) {
        Path root = folder.toAbsolutePath().normalize();
        try {
            Path file = root.resolve(path).normalize();
            if (file.startsWith(root)) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw new SheafException.InvalidRequest(Quoted.of(path) + " is not a valid file path");
        }
        throw new SheafException.InvalidRequest(path + " is outside of the folder of " + BundleFile.NAME);
    }

    /// Returns the README that the description names; null if it names no README.
    public @Nullable Path readme() {
        String named = file == null ? null : file.readme();
        return named == null ? null : inside(folder, named);
    }
}
