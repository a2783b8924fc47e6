package dev.sheaf.server.registry.tag;

import dev.sheaf.model.Digest;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

final class TagHistoryRows {
    private static final RowMapper<TagMove> MAPPER = ConstructorMapper.of(TagMove.class);

    private static final String SELECT = """
            SELECT seq, id, name, old_digest, new_digest, moved_at, moved_by FROM tag_history
            WHERE repository_id = :repository AND name = :name
            """;

    private TagHistoryRows() {}

    static void insert(
            Tx tx, long repositoryId, String name, @Nullable Digest before, @Nullable Digest after, String actor) {
        tx.change(
                """
                        INSERT INTO tag_history (id, repository_id, name, old_digest, new_digest, moved_at, moved_by)
                        VALUES (:id, :repository, :name, :old, :new, :now, :actor)
                        """,
                "id",
                Ids.next(tx.now()),
                "repository",
                repositoryId,
                "name",
                name,
                "old",
                before == null ? null : before.toString(),
                "new",
                after == null ? null : after.toString(),
                "now",
                tx.now(),
                "actor",
                actor);
    }

    /// Newest first, those before the move numbered `before`.
    static List<TagMove> before(Tx tx, long repositoryId, String name, long before, int limit) {
        return tx.handle()
                .createQuery(SELECT + " AND seq < :before ORDER BY seq DESC LIMIT :limit")
                .bind("repository", repositoryId)
                .bind("name", name)
                .bind("before", before)
                .bind("limit", limit)
                .map(MAPPER)
                .list();
    }

    static Optional<TagMove> find(Tx tx, long repositoryId, String name, UUID id) {
        return tx.handle()
                .createQuery(SELECT + " AND id = :id")
                .bind("repository", repositoryId)
                .bind("name", name)
                .bind("id", id)
                .map(MAPPER)
                .findOne();
    }
}
