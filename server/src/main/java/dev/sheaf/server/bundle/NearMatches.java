package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.server.registry.TombstoneRows;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Suggests alternatives for a version that does not exist.
public final class NearMatches {
    private static final int SHOWN = 5;
    private static final int LOOKED_AT = 200;
    private static final int YANKED_SHOWN = 3;
    private static final int REASON_SHOWN = 200; // characters

    private NearMatches() {}

    /// Returns a problem that names up to five tags and versions that are not yanked. Those with the longest
    /// common prefix come first, and the newest among equals.
    ///
    /// @return version-deleted if the version existed and was deleted
    public static Problem missing(Tx tx, Tags tags, BundleSnapshot bundle, String asked) {
        var deleted = deleted(tx, bundle, asked);
        if (deleted.isPresent()) {
            return deleted.get().problem(bundle.name(), asked);
        }
        var versions =
                VersionRows.newest(tx, bundle.bundle().id(), LOOKED_AT).stream().map(Version::toString);
        var words = words(tx, tags, bundle);
        var candidates = Stream.concat(versions, words)
                .sorted(Comparator.comparingInt((String name) -> -commonStart(name, asked)))
                .limit(SHOWN)
                .toList();
        return new Problem.VersionNotFound(bundle.name(), asked, yanked(tx, bundle, asked), candidates);
    }

    /// Names the yanked versions in a range that has no other ones; empty if there are none.
    private static String yanked(Tx tx, BundleSnapshot bundle, String asked) {
        var range = VersionRange.find(asked);
        if (range.isEmpty()) {
            return "";
        }
        var rows = VersionRows.yanked(tx, bundle.bundle().id(), LOOKED_AT);
        var inside = rows.stream()
                .filter(row -> range.get().highest(List.of(row.version())).isPresent())
                .toList();
        return inside.isEmpty() ? "" : " that is not yanked: " + yanked(inside);
    }

    /// Returns what to say about yanked versions: number, reason and replacement of the first ones; empty if there
    /// are none.
    public static String yanked(List<VersionRow> rows) {
        String named =
                rows.stream().limit(YANKED_SHOWN).map(NearMatches::withdrawn).collect(Collectors.joining("; "));
        int more = rows.size() - YANKED_SHOWN;
        return named + (more > 0 ? "; and " + more + " more" : "");
    }

    private static String withdrawn(VersionRow row) {
        var recall = row.recall();
        return recall != null
                ? row.version() + " was recalled" + why(recall.reason()) + instead(recall.replacement())
                : row.version() + " was yanked" + why(row.yankReason()) + instead(row.yankReplacement());
    }

    private static String why(@Nullable String reason) {
        if (reason == null || reason.isBlank()) {
            return "";
        }
        String text = reason.strip();
        return " (" + (text.length() > REASON_SHOWN ? text.substring(0, REASON_SHOWN) + "…" : text) + ")";
    }

    private static String instead(@Nullable String replacement) {
        return replacement == null ? "" : ", use " + replacement;
    }

    /// Returns the tags that mean a version.
    private static Stream<String> words(Tx tx, Tags tags, BundleSnapshot bundle) {
        var versions = VersionRows.ofTags(tx, bundle.repository().id(), "", LOOKED_AT);
        return tags.named(tx, bundle.repository(), null, LOOKED_AT).stream()
                .filter(row -> row.kind() != Tags.Kind.REGISTRY)
                .filter(row -> {
                    var version = versions.get(row.manifestId());
                    return version != null && new Tag(row.name()).mayMean(version);
                })
                .map(TagRecord::name);
    }

    private static Optional<TombstoneRows.Tombstone> deleted(Tx tx, BundleSnapshot bundle, String asked) {
        return Version.find(asked)
                .or(() -> Version.ofOciTag(asked))
                .flatMap(version -> TombstoneRows.find(tx, bundle.repository(), version)
                        .filter(grave ->
                                version.build().isEmpty() || grave.version().equals(version)))
                .or(() -> digest(asked).flatMap(digest -> TombstoneRows.find(tx, bundle.repository(), digest)));
    }

    private static Optional<Digest> digest(String asked) {
        try {
            return asked.matches("[0-9a-f]{64}")
                    ? Optional.of(Digest.ofSha256Hex(asked))
                    : asked.indexOf(':') < 0 ? Optional.empty() : Optional.of(Digest.parse(asked));
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
