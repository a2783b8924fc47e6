package dev.sheaf.server.registry.referrer;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import java.util.Collection;
import java.util.List;

final class ReferrerRows {
    // Besides the manifests that name the subject, these are the manifests that an index under the fallback tag
    // lists, and a manifest under that tag that is not an index.
    private static final String REFERRING = """
            SELECT id FROM manifest WHERE repository_id = :repository AND subject_digest = :subject
            UNION
            SELECT c.child_id FROM tag t JOIN manifest_child c ON c.manifest_id = t.manifest_id
            WHERE t.repository_id = :repository AND t.name = :fallback
            UNION
            SELECT i.id FROM tag t JOIN manifest i ON i.id = t.manifest_id
            WHERE t.repository_id = :repository AND t.name = :fallback AND i.media_type NOT IN (:index, :list)
            """;

    /// The data for cutting a page.
    ///
    /// @param weight bytes of annotations
    record Candidate(long id, Digest digest, long weight) {}

    private ReferrerRows() {}

    /// Returns at most `limit` referrers whose digests sort after `after`. Both databases store a text's length
    /// with it, so its size in bytes is known without reading the text.
    static List<Candidate> candidates(Tx tx, Referrers.Query query, String after, int limit) {
        String columns = "m.id, m.digest, coalesce(octet_length(m.annotations), 0) AS weight";
        return select(tx, Candidate.class, columns, query, after, limit);
    }

    /// Returns the first `limit` referrers by digest, without their annotations.
    static List<Referrers.Attestation> attestations(Tx tx, Referrers.Query query, int limit) {
        return select(tx, Referrers.Attestation.class, "m.digest, m.artifact_type", query, "", limit);
    }

    private static <T> List<T> select(
            Tx tx, Class<T> type, String columns, Referrers.Query query, String after, int limit) {
        String condition = query.artifactType().isEmpty() ? "" : "AND m.artifact_type = :artifactType";
        return tx.list(
                """
                        SELECT %s FROM manifest m WHERE m.digest > :after AND m.held = 0 AND m.id IN (%s) %s
                        ORDER BY m.digest LIMIT :limit
                        """.formatted(columns, REFERRING, condition),
                type,
                new Subject(query),
                "artifactType",
                query.artifactType(),
                "after",
                after,
                "limit",
                limit);
    }

    /// The parameters of a query.
    record Subject(long repository, Digest subject, String fallback, String index, String list) {
        Subject(Referrers.Query query) {
            this(
                    query.repository().id(),
                    query.subject(),
                    Referrers.fallbackTag(query.subject()),
                    MediaType.IMAGE_INDEX,
                    MediaType.DOCKER_LIST);
        }
    }

    static List<Referrer> load(Tx tx, Collection<Long> ids) {
        return tx.list("""
                        SELECT digest, media_type, artifact_type, size, annotations FROM manifest WHERE id IN (<ids>)
                        ORDER BY digest
                        """, Referrer.class, "ids", ids);
    }
}
