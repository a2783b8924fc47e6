package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;

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
    /// @param weight characters of annotations
    record Candidate(long id, Digest digest, long weight) {}

    private static final RowMapper<Candidate> CANDIDATE = ConstructorMapper.of(Candidate.class);
    private static final RowMapper<Referrer> REFERRER = ConstructorMapper.of(Referrer.class);

    private ReferrerRows() {}

    /// At most `limit` referrers whose digests sort after `after`.
    static List<Candidate> candidates(Tx tx, Referrers.Query query, String after, int limit) {
        boolean filtered = !query.artifactType().isEmpty();
        var select = tx.handle()
                .createQuery("""
                        SELECT m.id, m.digest, coalesce(length(m.annotations), 0) AS weight FROM manifest m
                        WHERE m.digest > :after AND m.id IN (%s) %s ORDER BY m.digest LIMIT :limit
                        """.formatted(REFERRING, filtered ? "AND m.artifact_type = :type" : ""))
                .bind("after", after)
                .bind("repository", query.repository().id())
                .bind("subject", query.subject())
                .bind("fallback", Referrers.fallbackTag(query.subject()))
                .bind("index", MediaType.IMAGE_INDEX)
                .bind("list", MediaType.DOCKER_LIST)
                .bind("limit", limit);
        if (filtered) {
            select.bind("type", query.artifactType());
        }
        return select.map(CANDIDATE).list();
    }

    /// The signatures among the referrers, the first that came before all others; at most `limit` are looked at.
    static List<Signature> signatures(Tx tx, Referrers.Query query, int limit) {
        return tx
                .handle()
                .createQuery("""
                        SELECT artifact_type, annotations, created_at FROM manifest
                        WHERE state = 'ok' AND artifact_type IN (<types>) AND id IN (%s)
                        ORDER BY created_at, id LIMIT :limit
                        """.formatted(REFERRING))
                .bindList("types", List.copyOf(Signature.SIGNERS.keySet()))
                .bind("repository", query.repository().id())
                .bind("subject", query.subject())
                .bind("fallback", Referrers.fallbackTag(query.subject()))
                .bind("index", MediaType.IMAGE_INDEX)
                .bind("list", MediaType.DOCKER_LIST)
                .bind("limit", limit)
                .map((row, context) -> Signature.of(
                        row.getString("artifact_type"),
                        row.getString("annotations"),
                        Instant.ofEpochMilli(row.getLong("created_at"))))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
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
