package dev.sheaf.server.git.history;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.VersionRow;
import java.nio.charset.StandardCharsets;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// Builds the commit of a version. It contains only facts that never change, so every node always derives the
/// same commit.
final class CommitText {
    /// A domain without mail (RFC 2606), so that a commit does not disclose who published the version.
    private static final String DOMAIN = "sheaf.invalid";

    /// The message of a commit with derived manifests.
    static final String PLUGIN = "as a plugin\n\nWith manifests for agent programs, which the version does not have.";

    private CommitText() {}

    /// @param parent the parent commit; null for the first version
    /// @param message the publisher's message; null if there is none
    static byte[] of(
            RepositoryName bundle,
            VersionRow version,
            ObjectId tree,
            @Nullable ObjectId parent,
            @Nullable String message) {
        String who = bundle.namespace() + " <" + bundle.namespace() + "@" + DOMAIN + "> "
                + version.publishedAt().getEpochSecond() + " +0000\n";
        String text = "tree " + tree.name() + "\n"
                + (parent == null ? "" : "parent " + parent.name() + "\n")
                + "author " + who
                + "committer " + who
                + "\n"
                + subject(version, message)
                + "\nManifest: " + bundle + "@" + version.digest() + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Returns the version number and the first line of the message, then the rest of the message.
    private static String subject(VersionRow version, @Nullable String message) {
        String clean = message == null ? "" : clean(message);
        int end = clean.indexOf('\n');
        String first = end < 0 ? clean : clean.substring(0, end).strip();
        String rest = end < 0 ? "" : clean.substring(end).strip();
        return version.version() + (first.isEmpty() ? "" : ": " + first) + "\n"
                + (rest.isEmpty() ? "" : "\n" + rest + "\n");
    }

    /// Removes control characters: git refuses NUL, and terminals obey others.
    private static String clean(String message) {
        var text = new StringBuilder();
        message.replace("\r\n", "\n")
                .codePoints()
                .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
                .forEach(text::appendCodePoint);
        return text.toString().strip();
    }
}
