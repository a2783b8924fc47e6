package dev.sheaf.model.skill;

import dev.sheaf.model.LogicalPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the skills of a bundle: each folder that contains a SKILL.md. Clients store skills by name and unpack
/// them one by one. So a skill is left out if it is inside another skill, if another skill has the same name,
/// if clients refuse its name, or if it is too large for clients.
public final class SkillFolders {
    /// The limit for the length of a name, in characters.
    public static final int MAX_NAME = 64;
    /// The limit for the number of files of a skill.
    public static final int MAX_FILES = 1_000;
    /// The limit for all files of a skill together.
    public static final long MAX_BYTES = 50L << 20;

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(?:-[a-z0-9]+)*");

    private SkillFolders() {}

    /// Functions that read the path and size of a file.
    public record Reading<T>(Function<T, LogicalPath> path, ToLongFunction<T> size) {}

    /// A SKILL.md whose folder is not listed as a skill.
    ///
    /// @param reason completes a sentence that begins "this skill is left out: "
    public record LeftOut(LogicalPath path, String reason) {}

    /// The result.
    ///
    /// @param skills ordered by name
    /// @param leftOut ordered by path
    public record Found<T>(List<Skill<T>> skills, List<LeftOut> leftOut) {
        public Found {
            skills = List.copyOf(skills);
            leftOut = List.copyOf(leftOut);
        }
    }

    /// Returns whether clients accept the name of a skill: `a-z`, `0-9` and single hyphens between them, at most
    /// 64 characters.
    public static boolean isName(String name) {
        return name.length() <= MAX_NAME && NAME.matcher(name).matches();
    }

    /// Finds the skills.
    ///
    /// @param slug the bundle's slug
    /// @param files the files of one version, with distinct paths
    public static <T> Found<T> of(String slug, Collection<T> files, Reading<T> reading) {
        var byPath = new TreeMap<LogicalPath, T>();
        files.forEach(file -> byPath.put(reading.path().apply(file), file));
        var leftOut = new ArrayList<LeftOut>();
        var outermost = outermost(byPath, leftOut);
        var names = new HashMap<String, Integer>();
        outermost.keySet().forEach(folder -> names.merge(name(slug, folder), 1, Integer::sum));
        var skills = new TreeMap<String, Skill<T>>();
        outermost.forEach((folder, inside) -> {
            String name = name(slug, folder);
            var document = new LogicalPath(folder + SkillText.FILE);
            String reason = reason(name, names, inside, reading);
            if (reason.isEmpty()) {
                skills.put(name, new Skill<>(name, folder, file(byPath, document), inside));
            } else {
                leftOut.add(new LeftOut(document, reason));
            }
        });
        leftOut.sort((one, other) -> one.path().compareTo(other.path()));
        return new Found<>(List.copyOf(skills.values()), leftOut);
    }

    private static <T> T file(Map<LogicalPath, T> byPath, LogicalPath document) {
        T file = byPath.get(document);
        if (file == null) {
            throw new IllegalStateException("the skill has lost its document");
        }
        return file;
    }

    /// Returns the outermost folders that contain a SKILL.md, with all their files.
    private static <T> Map<String, List<T>> outermost(TreeMap<LogicalPath, T> byPath, List<LeftOut> leftOut) {
        var all = new HashMap<String, LogicalPath>();
        byPath.keySet().stream()
                .filter(path -> path.fileName().equals(SkillText.FILE))
                .forEach(path -> all.put(folder(path.value()), path));
        var skills = new TreeMap<String, List<T>>();
        if (all.isEmpty()) {
            return skills;
        }
        byPath.forEach((path, file) -> {
            String around = around(path.value(), all);
            if (around == null) {
                return;
            }
            skills.computeIfAbsent(around, first -> new ArrayList<>()).add(file);
            if (path.fileName().equals(SkillText.FILE) && !folder(path.value()).equals(around)) {
                String outer = around.isEmpty() ? "the bundle's own, at its root" : around + SkillText.FILE;
                leftOut.add(new LeftOut(path, "it is inside another skill, " + outer));
            }
        });
        return skills;
    }

    /// Returns the outermost folder of a path that is a skill; null if no folder of it is a skill.
    private static @Nullable String around(String path, Map<String, LogicalPath> skills) {
        for (int end = 0; end >= 0; end = next(path, end)) {
            String folder = path.substring(0, end);
            if (skills.containsKey(folder)) {
                return folder;
            }
        }
        return null;
    }

    private static int next(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? -1 : slash + 1;
    }

    private static String folder(String path) {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    private static String name(String slug, String folder) {
        return folder.isEmpty()
                ? slug
                : folder.substring(folder.lastIndexOf('/', folder.length() - 2) + 1, folder.length() - 1);
    }

    /// Returns the reason for leaving a skill out; empty if it is not left out.
    private static <T> String reason(String name, Map<String, Integer> names, List<T> files, Reading<T> reading) {
        if (!isName(name)) {
            return "its name is the name of its folder, and may contain only a-z, 0-9 and single hyphens between"
                    + " them, at most "
                    + MAX_NAME + " characters";
        }
        if (names.getOrDefault(name, 0) > 1) {
            return "another skill of this bundle has the same name, " + name;
        }
        if (files.size() > MAX_FILES) {
            return "it has " + files.size() + " files, and clients unpack at most " + MAX_FILES;
        }
        long bytes = files.stream().mapToLong(reading.size()).sum();
        return bytes > MAX_BYTES
                ? "its files have " + bytes + " bytes, and clients unpack at most " + MAX_BYTES + " (50 MiB)"
                : "";
    }
}
