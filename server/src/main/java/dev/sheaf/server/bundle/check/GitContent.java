package dev.sheaf.server.bundle.check;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import java.util.List;
import java.util.Optional;

/// Finds files that `git fsck` refuses. A version with such a file is withheld from git: a clone that checks what
/// it receives would refuse all other versions with it.
public final class GitContent {
    private static final List<String> REFUSED = List.of(".git", ".gitmodules");
    private static final String ATTRIBUTES = ".gitattributes";

    /// Limit of a line in bytes, from git (`ATTR_MAX_LINE_LENGTH`).
    private static final int LINE = 2_047;

    /// Limit of an attributes file in bytes; git's own is a hundred times higher.
    private static final long MAX = 1 << 20;

    private GitContent() {}

    /// Returns why git would refuse a file by its name and size; the text continues a sentence that begins with
    /// the path.
    public static Optional<String> refused(LogicalPath path, long size) {
        for (String segment : path.value().split("/")) {
            for (String name : REFUSED) {
                if (PathRules.isDisguise(segment, name)) {
                    return Optional.of("is " + name + " for git, at least on some systems");
                }
            }
        }
        return hasAttributes(path) && size > MAX
                ? Optional.of("has attributes for git and is larger than 1 MiB")
                : Optional.empty();
    }

    /// Returns whether git reads the file as attributes, and so checks its lines.
    public static boolean hasAttributes(LogicalPath path) {
        return PathRules.isDisguise(path.fileName(), ATTRIBUTES);
    }

    /// Returns why git would refuse these attributes.
    public static Optional<String> refused(byte[] attributes) {
        int length = 0;
        for (byte b : attributes) {
            length = b == '\n' ? 0 : length + 1;
            if (length > LINE) {
                return Optional.of("has attributes for git in a line longer than 2,047 bytes");
            }
        }
        return Optional.empty();
    }
}
