package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.Tags;
import dev.sheaf.server.registry.TombstoneRows;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// What somebody may have meant who asked for a version that is not there.
final class NearMatches {
    private static final int SHOWN = 5;
    private static final int LOOKED_AT = 200;

    private NearMatches() {}

    /// Names up to five versions and tags that share most of their beginning with what was asked, the newest first
    /// among equals.
    ///
    /// @return version-deleted where what was asked for is no more
    static Problem missing(Tx tx, Tags tags, Snapshot bundle, String asked) {
        var deleted = deleted(tx, bundle, asked);
        if (deleted.isPresent()) {
            return deleted.get().problem(bundle.name(), asked);
        }
        var versions = VersionRows.list(tx, bundle.bundle().id(), null, LOOKED_AT).stream()
                .map(row -> row.version().toString());
        var words = BundleTags.of(tags.named(tx, bundle.repository(), null, LOOKED_AT));
        var candidates = Stream.concat(versions, words.stream())
                .sorted(Comparator.comparingInt((String name) -> -commonStart(name, asked)))
                .limit(SHOWN)
                .toList();
        return new Problem.VersionNotFound(bundle.name(), asked, candidates);
    }

    private static Optional<TombstoneRows.Tombstone> deleted(Tx tx, Snapshot bundle, String asked) {
        return Version.find(asked)
                .flatMap(version -> TombstoneRows.find(tx, bundle.repository(), version)
                        .filter(grave ->
                                version.build().isEmpty() || grave.version().equals(version)))
                .or(() -> digest(asked).flatMap(digest -> TombstoneRows.find(tx, bundle.repository(), digest)));
    }

    private static Optional<Digest> digest(String asked) {
        try {
            return asked.indexOf(':') < 0 ? Optional.empty() : Optional.of(Digest.parse(asked));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    private static int commonStart(String a, String b) {
        int i = 0;
        while (i < Math.min(a.length(), b.length()) && a.charAt(i) == b.charAt(i)) {
            i++;
        }
        return i;
    }
}
