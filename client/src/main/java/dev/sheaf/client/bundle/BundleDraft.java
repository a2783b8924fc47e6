package dev.sheaf.client.bundle;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.skill.SkillFolders;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Generates a first `sheaf.yaml` for a folder from its files, and a first skill where there are none.
public final class BundleDraft {
    private static final int MOST_PATTERNS = 20;

    /// Names that say nothing about what a folder contains.
    private static final Set<String> NOTHING = Set.of(".git", ".gitignore", BundleFile.NAME);

    private BundleDraft() {}

    /// Returns the files to write, by their paths in the folder: `sheaf.yaml`, and in an empty folder a skill to
    /// begin with.
    public static Map<String, String> texts(Path folder, RepositoryName name, Progress progress) {
        if (isEmpty(folder)) {
            String skill = skillName(name.bundle().value());
            return Map.of(
                    "skills/" + skill + "/SKILL.md",
                    skill(skill),
                    BundleFile.NAME,
                    text(name, "1 " + AssetType.SKILL, WireJson.text("/skills/**")));
        }
        var found = BundleFolder.read(folder, progress, FolderRules.of(folder, null));
        LeftOut.tell(found.leftOut(), progress);
        return Map.of(BundleFile.NAME, text(name, kinds(found.assets()), patterns(found.assets())));
    }

    private static boolean isEmpty(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.allMatch(file -> NOTHING.contains(file.getFileName().toString()));
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + folder, e);
        }
    }

    /// Names of bundles may contain characters and be of a length that names of skills may not.
    private static String skillName(String bundle) {
        String name = bundle.replaceAll("[^a-z0-9]+", "-");
        return name.substring(0, Math.min(name.length(), SkillFolders.MAX_NAME)).replaceAll("^-|-$", "");
    }

    private static String skill(String name) {
        return """
                ---
                name: %s
                description: What this skill does, and when an agent should use it. One or two sentences.
                ---

                # %s

                Write what the agent should do, step by step. Longer texts go into references/, programs into scripts/.
                """.formatted(name, name);
    }

    /// Returns the document. It lists no assets, so that files added later are published too.
    private static String text(RepositoryName name, String kinds, String patterns) {
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
                # requires: [{bundle: acme/other, range: ^1.0}]

                # Found: %s.
                # All files are published, except those that .gitignore or .sheafignore exclude; `sheaf lint` lists them.
                # To publish only some files, list their patterns. All other files, including new ones, are then left out:
                # assets: [%s]
                """.formatted(name.namespace(), name.bundle(), kinds, patterns);
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

    /// Writes files into the folder, all of them or none. Returns their paths.
    ///
    /// @param texts the files by name
    /// @throws SheafException.Local if one of them exists and `replace` is false
    public static List<Path> write(Path folder, Map<String, String> texts, boolean replace) {
        var files = new TreeMap<Path, String>();
        texts.forEach((name, text) -> files.put(folder.resolve(name), text));
        if (!replace) {
            files.keySet().stream()
                    .filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS))
                    .findFirst()
                    .ifPresent(file -> {
                        throw exists(file, null);
                    });
        }
        files.forEach((file, text) -> write(file, text, replace));
        return List.copyOf(files.keySet());
    }

    private static void write(Path file, String text, boolean replace) {
        try {
            if (replace) {
                Files.deleteIfExists(file);
            }
            var folder = file.getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw exists(file, e);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot write " + file, e);
        }
    }

    private static SheafException exists(Path file, @Nullable Exception why) {
        return new SheafException.Local(file + " exists already and was not changed", "file-exists", why);
    }
}
