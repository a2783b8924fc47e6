package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The recalled versions of a namespace.
public final class AdvisoryRows {
    private AdvisoryRows() {}

    /// A place in the list: the time of a recall, and the id of its version.
    public record After(Instant recalledAt, String id) {}

    /// A recalled version of a bundle.
    public record Recalled(
            UUID id,
            RepositoryName ref,
            UUID organizationId,
            Visibility visibility,
            Version version,
            Digest digest,
            Instant recalledAt,
            RecallSeverity recallSeverity,
            String recallReason,
            @Nullable String recallAdvisory,
            @Nullable String recallReplacement)
            implements Access.Target {
        @Override
        public RepositoryName name() {
            return ref;
        }

        public After place() {
            return new After(recalledAt, id.toString());
        }
    }

    /// Returns recalled versions, the newest recall first.
    ///
    /// @param all whether private bundles are among them
    /// @param after null for the first
    public static List<Recalled> list(Tx tx, Namespace namespace, boolean all, @Nullable After after, int limit) {
        String later = after == null ? "" : """
                 AND (v.recalled_at < :recalledAt OR (v.recalled_at = :recalledAt AND v.id < :id))
                """;
        String sql = """
                SELECT v.id, r.namespace, r.name AS bundle, n.organization_id, r.visibility, v.version, m.digest,
                       v.recalled_at, v.recall_severity, v.recall_reason, v.recall_advisory, v.recall_replacement
                FROM repository r JOIN namespace n ON n.name = r.namespace JOIN bundle b ON b.repository_id = r.id
                JOIN version v ON v.bundle_id = b.id AND v.recalled_at IS NOT NULL JOIN manifest m ON m.id = v.manifest_id
                WHERE r.namespace = :namespace AND b.deleted_at IS NULL AND r.deleted_at IS NULL
                """ + (all ? "" : " AND r.visibility = 'public'") + later
                + " ORDER BY v.recalled_at DESC, v.id DESC LIMIT :limit";
        return after == null
                ? tx.list(sql, Recalled.class, "namespace", namespace, "limit", limit)
                : tx.list(sql, Recalled.class, after, "namespace", namespace, "limit", limit);
    }
}
