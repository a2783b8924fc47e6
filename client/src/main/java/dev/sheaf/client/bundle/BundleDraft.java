package dev.sheaf.client.bundle;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Disk;
import dev.sheaf.client.io.Json;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.RepositoryName;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Writes a first `sheaf.yaml` for a folder, from the files that are in it.
public final class BundleDraft {
    private BundleDraft() {}

    /// The document. Assets are named by folder and kind where that tells a kind; where nothing does, all files are
    /// assets.
    public static String text(Path folder, RepositoryName name, Progress progress) {
        var found = BundleSource.candidates(folder, null, progress);
        var assets = found.stream().filter(asset -> !isSecret(asset)).toList();
        found.stream()
                .filter(BundleDraft::isSecret)
                .forEach(asset -> progress.notice("left out " + asset.path() + ", since such files hold secrets"));
        var text = new StringBuilder("# What `sheaf push` publishes from this folder.\n");
        text.append("namespace: ").append(name.namespace()).append('\n');
        text.append("slug: ").append(name.bundle()).append('\n');
        text.append("version: 0.1.0\n");
        text.append("# name: a name for people\n# description: one sentence\n# visibility: public\n");
        text.append("# license: Apache-2.0\n# keywords: [one, another]\n");
        var groups = groups(assets, assets.size() < found.size());
        if (groups.isEmpty()) {
            text.append("# assets: [\"skills/**\"]\n");
            return text.toString();
        }
        text.append("assets:\n");
        groups.forEach((pattern, kinds) -> text.append("  - ")
                .append(Json.text(pattern))
                .append("  # ")
                .append(kinds)
                .append('\n'));
        return text.toString();
    }

    /// `.env` and its like; an example of one is there to be read.
    private static boolean isSecret(LocalAsset asset) {
        String name = asset.path().fileName();
        return name.equals(".env") || (name.startsWith(".env.") && !name.matches(".*(example|sample|template)"));
    }

    /// Patterns, sorted, with the kinds of what they match; empty where no kind was inferred and all files are meant.
    private static Map<String, String> groups(List<LocalAsset> assets, boolean someLeftOut) {
        var byTop =
                assets.stream().collect(Collectors.groupingBy(BundleDraft::pattern, TreeMap::new, Collectors.toList()));
        boolean told = someLeftOut || assets.stream().anyMatch(asset -> asset.type() != AssetType.OTHER);
        var groups = new TreeMap<String, String>();
        if (told) {
            byTop.forEach((pattern, of) -> groups.put(pattern, kinds(of)));
        }
        return groups;
    }

    private static String pattern(LocalAsset asset) {
        var folders = asset.path().folders();
        return folders.isEmpty() ? "/" + asset.path().fileName() : "/" + folders.getFirst() + "/**";
    }

    private static String kinds(List<LocalAsset> assets) {
        return assets.stream()
                .collect(Collectors.groupingBy(LocalAsset::type, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    /// Writes the document into the folder.
    ///
    /// @param replace whether one that is there may go
    /// @throws SheafException.Local where one is there and may not
    public static Path write(Path folder, String text, boolean replace) {
        Path file = folder.resolve(BundleFile.NAME);
        try {
            if (replace) {
                Files.deleteIfExists(file);
            }
            return Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new SheafException.Local(
                    file + " is there already and was not changed; to replace it, add --force", e);
        } catch (IOException e) {
            throw Disk.failed("cannot write " + file, e);
        }
    }
}
