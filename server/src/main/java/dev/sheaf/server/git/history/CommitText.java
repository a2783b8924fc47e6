package dev.sheaf.server.git.history;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.VersionRow;
import java.nio.charset.StandardCharsets;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// The commit that a version is. It says only what never changes of one, so it is the same whenever and
/// wherever it is derived.
final class CommitText {
    /// A domain in which nobody has mail (RFC 2606): who published is the registry's affair.
    private static final String DOMAIN = "sheaf.invalid";

    private CommitText() {}

    /// @param parent null: the version is the first
    /// @param message the publisher's; null: there is none
    static GitObject of(
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
        return GitObject.of(GitObject.Kind.COMMIT, text.getBytes(StandardCharsets.UTF_8));
    }

    /// The number and the first line of the message; then the rest of it.
    private static String subject(VersionRow version, @Nullable String message) {
        String clean = message == null ? "" : clean(message);
        int end = clean.indexOf('\n');
        String first = end < 0 ? clean : clean.substring(0, end).strip();
        String rest = end < 0 ? "" : clean.substring(end).strip();
        return version.version() + (first.isEmpty() ? "" : ": " + first) + "\n"
                + (rest.isEmpty() ? "" : "\n" + rest + "\n");
    }

    /// Without control characters: git refuses NUL, and a terminal obeys others.
    private static String clean(String message) {
        var text = new StringBuilder();
        message.replace("\r\n", "\n")
                .codePoints()
                .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
                .forEach(text::appendCodePoint);
        return text.toString().strip();
    }
}
