package dev.sheaf.server.git.history;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.server.bundle.StoredAsset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// What `git fsck` refuses of trees, by their paths. A version with such a path is not given to git: a clone that
/// checks
/// what it receives would refuse all others with it.
final class GitRules {
    private static final List<String> REFUSED = List.of(".git", ".gitmodules");
    private static final String ATTRIBUTES = ".gitattributes";

    /// Of a line in bytes; git takes 2,047 (`ATTR_MAX_LINE_LENGTH`).
    private static final int LINE = 2_047;

    /// Of a file with attributes that is looked at, in bytes; git takes a hundred times as much.
    static final long ATTRIBUTES_SIZE = 1 << 20;

    private GitRules() {}

    /// Why git would refuse these; empty where it would not.
    static Optional<String> refused(List<StoredAsset> assets) {
        var folders = new HashSet<String>();
        for (var asset : assets) {
            String path = asset.path().value();
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                folders.add(path.substring(0, slash));
            }
        }
        return assets.stream()
                .flatMap(asset -> refused(asset, folders.contains(asset.path().value())).stream())
                .findFirst();
    }

    private static Optional<String> refused(StoredAsset asset, boolean isFolder) {
        String path = asset.path().value();
        if (isFolder) {
            return Optional.of(path + " is a file and a folder");
        }
        for (String segment : path.split("/")) {
            for (String name : REFUSED) {
                if (PathRules.isDisguise(segment, name)) {
                    return Optional.of(path + " is " + name + " to git, or to git on some system");
                }
            }
        }
        return hasAttributes(asset.path()) && asset.size() > ATTRIBUTES_SIZE
                ? Optional.of(path + " has attributes for git and is larger than 1 MiB")
                : Optional.empty();
    }

    /// Whether git reads attributes of files there, and so checks the lines.
    static boolean hasAttributes(LogicalPath path) {
        return PathRules.isDisguise(path.fileName(), ATTRIBUTES);
    }

    /// Whether a line of these attributes is longer than git takes.
    static boolean hasLongLine(byte[] attributes) {
        int length = 0;
        for (byte b : attributes) {
            length = b == '\n' ? 0 : length + 1;
            if (length > LINE) {
                return true;
            }
        }
        return false;
    }
}
