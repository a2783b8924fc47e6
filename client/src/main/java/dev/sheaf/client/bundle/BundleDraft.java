package dev.sheaf.client.bundle;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.RepositoryName;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Generates a first `sheaf.yaml` for a folder from its files.
public final class BundleDraft {
    private static final int MOST_PATTERNS = 20;

    private BundleDraft() {}

    /// Returns the document. It lists no assets, so that files added later are published too.
    public static String text(Path folder, RepositoryName name, Progress progress) {
        var found = BundleFolder.read(folder, progress, FolderRules.of(folder, null));
        LeftOut.tell(found.leftOut(), progress);
        return """
                # What `sheaf push` publishes from this folder.
                namespace: %s
                slug: %s
                version: 0.1.0
                # name: a name for people
                # description: one sentence
                # visibility: public
                # license: Apache-2.0
                # keywords: [one, another]

                # Found: %s.
                # All files are published, except those that .gitignore or .sheafignore exclude; `sheaf lint` lists them.
                # To publish only some files, list their patterns. All other files, including new ones, are then left out:
                # assets: [%s]
                """.formatted(name.namespace(), name.bundle(), kinds(found.assets()), patterns(found.assets()));
    }

    private static String patterns(List<LocalAsset> assets) {
        var all = assets.stream().map(BundleDraft::pattern).distinct().sorted().toList();
        String some = all.stream().limit(MOST_PATTERNS).map(WireJson::text).collect(Collectors.joining(", "));
        return all.size() > MOST_PATTERNS ? some + ", and " + (all.size() - MOST_PATTERNS) + " more" : some;
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
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /// Writes the document into the folder.
    ///
    /// @throws SheafException.Local if a document exists and `replace` is false
    public static Path write(Path folder, String text, boolean replace) {
        Path file = folder.resolve(BundleFile.NAME);
        try {
            if (replace) {
                Files.deleteIfExists(file);
            }
            return Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new SheafException.Local(file + " exists already and was not changed; to replace it, add --force", e);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot write " + file, e);
        }
    }
}
