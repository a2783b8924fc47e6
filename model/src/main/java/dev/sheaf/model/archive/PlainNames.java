package dev.sheaf.model.archive;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The names in an archive: each once, each a path of an asset, and none in the way of another on any file system.
final class PlainNames {
    private static final String INSIDE = "/_";

    private final List<LogicalPath> files = new ArrayList<>();
    private final List<LogicalPath> folders = new ArrayList<>();
    private final Set<LogicalPath> seen = new HashSet<>();

    LogicalPath file(String name) throws UnfitArchive {
        var path = path(name);
        files.add(path);
        return path;
    }

    /// @param name without a slash at its end
    void folder(String name) throws UnfitArchive {
        folders.add(path(name));
    }

    private LogicalPath path(String name) throws UnfitArchive {
        try {
            var path = LogicalPath.parse(name);
            if (seen.add(path)) {
                return path;
            }
        } catch (ProblemException e) {
            throw new UnfitArchive(
                    "has an entry that cannot be taken: " + e.problem().detail());
        }
        throw new UnfitArchive("has " + Quoted.of(name) + " twice");
    }

    /// Refuses paths that clash. A folder without files clashes like one that has some.
    void finish() throws UnfitArchive {
        var all = new ArrayList<>(files);
        try {
            for (var folder : folders) {
                String start = folder.value() + "/";
                if (files.stream().noneMatch(file -> file.value().startsWith(start))) {
                    all.add(new LogicalPath(folder.value() + INSIDE));
                }
            }
        } catch (ProblemException e) {
            throw new UnfitArchive(
                    "has an empty folder that cannot be taken: " + e.problem().detail());
        }
        var clashes = PathRules.checkNew(all);
        if (!clashes.isEmpty()) {
            throw new UnfitArchive("has paths that clash: " + clashes.getFirst().detail());
        }
    }
}
