package dev.sheaf.server.registry.referrer;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Signatures by their subject. Annotations can be as long as a stranger wants, so only one statement here
/// reads them: the one that decides, once, what a manifest is.
public final class SignatureRows {
    /// As literals; otherwise the index on these types would not be used.
    private static final String TYPES = Signature.SIGNERS.keySet().stream()
            .sorted()
            .map(type -> "'" + type + "'")
            .collect(Collectors.joining(", "));

    // Manifests that name the subject; the first entries of an index under the fallback tag; and a manifest
    // under that tag that is not an index.
    private static final String FIRST = """
            SELECT manifest_id, signer, created_at AS at FROM (
                SELECT * FROM (
                    SELECT manifest_id, signer, created_at FROM signature
                    WHERE repository_id = :repository AND subject_digest = :subject AND signer IS NOT NULL
                    ORDER BY created_at, manifest_id LIMIT :limit
                ) named
                UNION
                SELECT s.manifest_id, s.signer, s.created_at FROM (
                    SELECT c.child_id AS id FROM tag t JOIN manifest_child c ON c.manifest_id = t.manifest_id
                    WHERE t.repository_id = :repository AND t.name = :fallback ORDER BY c.child_id LIMIT :children
                ) child JOIN signature s ON s.manifest_id = child.id WHERE s.signer IS NOT NULL
                UNION
                SELECT s.manifest_id, s.signer, s.created_at FROM tag t
                JOIN signature s ON s.manifest_id = t.manifest_id JOIN manifest i ON i.id = t.manifest_id
                WHERE t.repository_id = :repository AND t.name = :fallback AND s.signer IS NOT NULL
                  AND i.media_type NOT IN (:index, :list)
            ) found ORDER BY created_at, manifest_id LIMIT :limit
            """;

    private SignatureRows() {}

    /// A signature. Its manifest may be damaged.
    record Row(long manifestId, Signature signature) {}

    /// Returns the oldest signatures.
    ///
    /// @param children how many entries of an index under the fallback tag are examined
    static List<Row> first(Tx tx, Referrers.Query query, int limit, int children) {
        return tx.list(FIRST, Row.class, new ReferrerRows.Subject(query), "children", children, "limit", limit);
    }

    /// Returns which of some manifests have a signature that names them.
    public static Set<Digest> signed(Tx tx, long repositoryId, Collection<Digest> digests) {
        return digests.isEmpty()
                ? Set.of()
                : Set.copyOf(tx.list("""
                        SELECT DISTINCT subject_digest FROM signature
                        WHERE repository_id = :repository AND subject_digest IN (<digests>) AND signer IS NOT NULL
                        """, Digest.class, "repository", repositoryId, "digests", digests));
    }

    /// Returns whether a manifest is not known to be damaged.
    static boolean isOk(Tx tx, long manifestId) {
        return tx.has("SELECT id FROM manifest WHERE id = :manifest AND state = 'ok'", "manifest", manifestId);
    }

    /// Records a manifest's signature format if it has the type of a signature. Does nothing if that is known.
    public static void note(Tx tx, long manifestId, @Nullable String artifactType, @Nullable String annotations) {
        if (artifactType != null && Signature.SIGNERS.containsKey(artifactType)) {
            tx.change(
                    """
                            INSERT INTO signature (manifest_id, repository_id, subject_digest, signer, created_at)
                            SELECT id, repository_id, subject_digest, :signer, created_at FROM manifest
                            WHERE id = :manifest ON CONFLICT (manifest_id) DO NOTHING
                            """,
                    "manifest",
                    manifestId,
                    "signer",
                    Signature.signer(artifactType, annotations).orElse(null));
        }
    }

    /// Returns some manifests that have the type of a signature but no recorded format.
    static List<Long> missing(Tx tx, int limit) {
        return tx.list(
                "SELECT m.id FROM manifest m WHERE m.artifact_type IN (" + TYPES + """
                        ) AND NOT EXISTS (SELECT 1 FROM signature s WHERE s.manifest_id = m.id)
                        ORDER BY m.id LIMIT :limit
                        """, Long.class, "limit", limit);
    }

    private record Described(String artifactType, @Nullable String annotations) {}

    /// Records the signature format of a stored manifest.
    public static void note(Tx tx, long manifestId) {
        tx.find(
                        "SELECT artifact_type, annotations FROM manifest WHERE id = :manifest"
                                + tx.dialect().keyShare(),
                        Described.class,
                        "manifest",
                        manifestId)
                .ifPresent(found -> note(tx, manifestId, found.artifactType, found.annotations));
    }
}
