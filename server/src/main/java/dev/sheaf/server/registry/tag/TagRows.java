package dev.sheaf.server.registry.tag;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

final class TagRows {
    private static final String SELECT = """
            SELECT t.name, t.manifest_id, m.digest, t.kind, t.protected AS is_protected, t.updated_at, t.updated_by
            FROM tag t JOIN manifest m ON m.id = t.manifest_id
            """;

    private TagRows() {}

    static void set(Tx tx, long repositoryId, List<Tags.Move> moves, String actor) {
        record Row(String name, long manifest, Tags.Kind kind) {}
        var rows = moves.stream()
                .map(move -> new Row(move.name(), move.to().id(), move.kind()))
                .toList();
        tx.laterEach("""
                        INSERT INTO tag (repository_id, name, manifest_id, kind, updated_at, updated_by)
                        VALUES (:repository, :name, :manifest, :kind, :now, :actor)
                        ON CONFLICT (repository_id, name) DO UPDATE SET manifest_id = excluded.manifest_id,
                            kind = excluded.kind, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
                            protected = CASE WHEN excluded.kind = 'user' THEN tag.protected ELSE 0 END
                        """, rows, "repository", repositoryId, "actor", actor);
    }

    static void protect(Tx tx, long repositoryId, String name, boolean protect) {
        tx.change(
                "UPDATE tag SET protected = :protected WHERE repository_id = :repository AND name = :name",
                "protected",
                protect,
                "repository",
                repositoryId,
                "name",
                name);
    }

    static boolean remove(Tx tx, long repositoryId, String name) {
        return tx.change(
                        "DELETE FROM tag WHERE repository_id = :repository AND name = :name",
                        "repository",
                        repositoryId,
                        "name",
                        name)
                == 1;
    }

    static Optional<TagRecord> find(Tx tx, long repositoryId, String name) {
        return tx.find(
                SELECT + " WHERE t.repository_id = :repository AND t.name = :name",
                TagRecord.class,
                "repository",
                repositoryId,
                "name",
                name);
    }

    static PipelineAnswer<List<TagRecord>> find(Tx tx, long repositoryId, Collection<String> names) {
        return tx.soon(
                SELECT + " WHERE t.repository_id = :repository AND t.name IN (<names>)",
                TagRecord.class,
                "repository",
                repositoryId,
                "names",
                names);
    }

    static List<String> names(Tx tx, long repositoryId, String after, int limit) {
        return tx.list("""
                        SELECT name FROM tag WHERE repository_id = :repository AND name > :after
                        ORDER BY name LIMIT :limit
                        """, String.class, "repository", repositoryId, "after", after, "limit", limit);
    }

    static List<TagRecord> named(Tx tx, long repositoryId, String after, int limit) {
        return tx.list(SELECT + """
                         WHERE t.repository_id = :repository AND t.name > :after AND t.kind <> 'version'
                        ORDER BY t.name LIMIT :limit
                        """, TagRecord.class, "repository", repositoryId, "after", after, "limit", limit);
    }

    static List<TagRecord> pointingAt(Tx tx, long manifestId) {
        return tx.list(
                SELECT + " WHERE t.manifest_id = :manifest ORDER BY t.name", TagRecord.class, "manifest", manifestId);
    }
}
