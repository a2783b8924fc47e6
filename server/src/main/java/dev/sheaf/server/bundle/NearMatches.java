package dev.sheaf.server.bundle;

import dev.sheaf.model.Problem;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.Tags;
import java.util.Comparator;
import java.util.stream.Stream;

/// What somebody may have meant who asked for a version that is not there.
final class NearMatches {
    private static final int SHOWN = 5;
    private static final int LOOKED_AT = 200;

    private NearMatches() {}

    /// Names up to five versions and tags that share most of their beginning with what was asked, the newest first
    /// among equals.
    static Problem.VersionNotFound missing(Tx tx, Tags tags, Snapshot bundle, String asked) {
        var versions = VersionRows.list(tx, bundle.bundle().id(), null, LOOKED_AT).stream()
                .map(row -> row.version().toString());
        var words = BundleTags.of(tags.named(tx, bundle.repository(), null, LOOKED_AT));
        var candidates = Stream.concat(versions, words.stream())
                .sorted(Comparator.comparingInt((String name) -> -commonStart(name, asked)))
                .limit(SHOWN)
                .toList();
        return new Problem.VersionNotFound(bundle.name(), asked, candidates);
    }

    private static int commonStart(String a, String b) {
        int i = 0;
        while (i < Math.min(a.length(), b.length()) && a.charAt(i) == b.charAt(i)) {
            i++;
        }
        return i;
    }
}
