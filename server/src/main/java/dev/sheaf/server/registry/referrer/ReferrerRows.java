package dev.sheaf.server.registry.referrer;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.db.Tx;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.statement.Query;

final class ReferrerRows {
    // Besides the manifests that name the subject: what an index under the fallback tag lists, and a manifest that
    // is no index and stands under that tag itself.
    private static final String REFERRING = """
            SELECT id FROM manifest WHERE repository_id = :repository AND subject_digest = :subject
            UNION
            SELECT c.child_id FROM tag t JOIN manifest_child c ON c.manifest_id = t.manifest_id
            WHERE t.repository_id = :repository AND t.name = :fallback
            UNION
            SELECT i.id FROM tag t JOIN manifest i ON i.id = t.manifest_id
            WHERE t.repository_id = :repository AND t.name = :fallback AND i.media_type NOT IN (:index, :list)
            """;

    /// What is needed to cut a page.
    ///
    /// @param weight bytes of annotations
    record Candidate(long id, Digest digest, long weight) {}

    private static final RowMapper<Candidate> CANDIDATE = ConstructorMapper.of(Candidate.class);
    private static final RowMapper<Referrers.Attestation> ATTESTATION =
            ConstructorMapper.of(Referrers.Attestation.class);
    private static final RowMapper<Referrer> REFERRER = ConstructorMapper.of(Referrer.class);

    private ReferrerRows() {}

    /// At most `limit` referrers whose digests sort after `after`. The length of a text stands beside it in both
    /// databases, so that it is told in bytes without reading the text.
    static List<Candidate> candidates(Tx tx, Referrers.Query query, String after, int limit) {
        String columns = "m.id, m.digest, coalesce(octet_length(m.annotations), 0) AS weight";
        return select(tx, columns, query, after, limit).map(CANDIDATE).list();
    }

    /// The first `limit` referrers by digest, without their annotations.
    static List<Referrers.Attestation> attestations(Tx tx, Referrers.Query query, int limit) {
        return select(tx, "m.digest, m.artifact_type", query, "", limit)
                .map(ATTESTATION)
                .list();
    }

    private static Query select(Tx tx, String columns, Referrers.Query query, String after, int limit) {
        boolean filtered = !query.artifactType().isEmpty();
        var select = tx.handle()
                .createQuery("""
                        SELECT %s FROM manifest m WHERE m.digest > :after AND m.id IN (%s) %s
                        ORDER BY m.digest LIMIT :limit
                        """.formatted(columns, REFERRING, filtered ? "AND m.artifact_type = :type" : ""))
                .bind("after", after)
                .bind("repository", query.repository().id())
                .bind("subject", query.subject())
                .bind("fallback", Referrers.fallbackTag(query.subject()))
                .bind("index", MediaType.IMAGE_INDEX)
                .bind("list", MediaType.DOCKER_LIST)
                .bind("limit", limit);
        return filtered ? select.bind("type", query.artifactType()) : select;
    }

    static List<Referrer> load(Tx tx, Collection<Long> ids) {
        return tx.handle()
                .createQuery("""
                        SELECT digest, media_type, artifact_type, size, annotations FROM manifest WHERE id IN (<ids>)
                        ORDER BY digest
                        """)
                .bindList("ids", List.copyOf(ids))
                .map(REFERRER)
                .list();
    }
}
