package dev.sheaf.server.registry.tag;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

final class TagHistoryRows {
    private static final String SELECT = """
            SELECT seq, id, name, old_digest, new_digest, moved_at, moved_by FROM tag_history
            WHERE repository_id = :repository AND name = :name
            """;

    private TagHistoryRows() {}

    static void insert(
            Tx tx, long repositoryId, String name, @Nullable Digest before, @Nullable Digest after, String actor) {
        tx.later(
                """
                        INSERT INTO tag_history (id, repository_id, name, old_digest, new_digest, moved_at, moved_by)
                        VALUES (:id, :repository, :name, :old, :new, :now, :actor)
                        """,
                "id",
                TimeOrderedIds.next(tx.now()),
                "repository",
                repositoryId,
                "name",
                name,
                "old",
                before,
                "new",
                after,
                "actor",
                actor);
    }

    /// Returns the moves before the one numbered `before`, newest first.
    static List<TagMove> before(Tx tx, long repositoryId, String name, long before, int limit) {
        return tx.list(
                SELECT + " AND seq < :before ORDER BY seq DESC LIMIT :limit",
                TagMove.class,
                "repository",
                repositoryId,
                "name",
                name,
                "before",
                before,
                "limit",
                limit);
    }

    /// Deletes moves from before a moment, if they are among the oldest.
    static int remove(Tx tx, Instant before, int limit) {
        return tx.change("""
                        DELETE FROM tag_history WHERE seq IN (
                            SELECT seq FROM (SELECT seq, moved_at FROM tag_history ORDER BY seq LIMIT :limit) oldest
                            WHERE moved_at < :before)
                        """, "before", before, "limit", limit);
    }

    static Optional<TagMove> find(Tx tx, long repositoryId, String name, UUID id) {
        return tx.find(SELECT + " AND id = :id", TagMove.class, "repository", repositoryId, "name", name, "id", id);
    }
}
