package dev.sheaf.server.registry.referrer;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Digest;
import dev.sheaf.server.registry.Repository;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The manifests of a repository that refer to other manifests (distribution-spec, "Listing Referrers").
/// Thread-safe.
public final class Referrers {
    private static final int MAX_ENTRIES = 1_000;
    private static final long MAX_WEIGHT = 1 << 20; // clients read an index of 4 MiB at most
    private static final int FALLBACK_HEX = 64;

    private final Database database;

    public Referrers(Database database) {
        this.database = database;
    }

    /// @param subject need not exist
    /// @param artifactType only referrers of this type; empty for all
    public record Query(Repository repository, Digest subject, String artifactType) {}

    /// A page of referrers, sorted by digest.
    ///
    /// @param more whether there are more
    public record Page(List<Referrer> referrers, boolean more) {
        public Page {
            referrers = List.copyOf(referrers);
        }
    }

    /// Returns referrers whose digests sort after the text `after`: at most `limit`, and fewer if their
    /// annotations are long.
    public Page list(Query query, String after, int limit) {
        int most = Math.clamp(limit, 0, MAX_ENTRIES);
        return most == 0
                ? new Page(List.of(), false)
                : database.read(tx -> {
                    var found = ReferrerRows.candidates(tx, query, after, most + 1);
                    int shown = fitting(found, most);
                    var ids = found.stream()
                            .limit(shown)
                            .map(ReferrerRows.Candidate::id)
                            .toList();
                    return new Page(ids.isEmpty() ? List.of() : ReferrerRows.load(tx, ids), shown < found.size());
                });
    }

    /// A referrer without its annotations, which may be long.
    public record Attestation(Digest digest, @Nullable String artifactType) {}

    /// Returns the first referrers by digest.
    ///
    /// @param limit at most 1,000
    public List<Attestation> attestations(Query query, int limit) {
        return database.read(tx -> ReferrerRows.attestations(tx, query, Math.clamp(limit, 0, MAX_ENTRIES)));
    }

    /// Returns how many fit on the page: at least one, so that paging always advances.
    private static int fitting(List<ReferrerRows.Candidate> found, int most) {
        long weight = 0;
        int count = 0;
        while (count < Math.min(most, found.size())
                && (count == 0 || weight + found.get(count).weight() <= MAX_WEIGHT)) {
            weight += found.get(count).weight();
            count++;
        }
        return count;
    }

    /// Returns the tag for referrers in registries without this list (distribution-spec, "Referrers Tag
    /// Schema").
    public static String fallbackTag(Digest subject) {
        String hex = subject.hex();
        return subject.algorithm() + "-" + hex.substring(0, Math.min(FALLBACK_HEX, hex.length()));
    }
}
