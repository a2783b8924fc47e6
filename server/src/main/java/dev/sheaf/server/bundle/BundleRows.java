package dev.sheaf.server.bundle;

import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

final class BundleRows {
    private static final RowMapper<BundleRow> MAPPER = ConstructorMapper.of(BundleRow.class);

    private BundleRows() {}

    /// @return false where the repository has a bundle already
    static boolean insert(Tx tx, long repositoryId, Description text, String sourceType, String actor) {
        return tx.handle()
                        .createUpdate("""
                                INSERT INTO bundle (id, repository_id, name, description, source_type, readme_content,
                                                    readme_format, created_at, created_by)
                                VALUES (:id, :repository, :name, :description, :source, :readme, :format, :now, :actor)
                                ON CONFLICT DO NOTHING
                                """)
                        .bind("id", Ids.next(tx.now()))
                        .bind("repository", repositoryId)
                        .bind("name", text.name())
                        .bind("description", text.description())
                        .bind("source", sourceType)
                        .bind("readme", text.readmeContent())
                        .bind("format", text.readmeFormat())
                        .bind("now", tx.now())
                        .bind("actor", actor)
                        .execute()
                == 1;
    }

    static void describe(Tx tx, UUID id, Description text) {
        tx.handle()
                .createUpdate("""
                        UPDATE bundle SET name = :name, description = :description, readme_content = :readme,
                                          readme_format = :format, updated_at = :now
                        WHERE id = :id
                        """)
                .bind("id", id)
                .bind("name", text.name())
                .bind("description", text.description())
                .bind("readme", text.readmeContent())
                .bind("format", text.readmeFormat())
                .bind("now", tx.now())
                .execute();
    }

    static Optional<BundleRow> find(Tx tx, long repositoryId) {
        return tx.handle()
                .createQuery("""
                        SELECT id, name, description, source_type, readme_content, readme_format, license, repository_url,
                               homepage_url, keywords, deprecation_message, deprecation_replacement, created_at,
                               updated_at
                        FROM bundle WHERE repository_id = :repository AND deleted_at IS NULL
                        """)
                .bind("repository", repositoryId)
                .map(MAPPER)
                .findOne();
    }

    /// @param deprecation null: not deprecated any more
    static void deprecate(Tx tx, UUID id, @Nullable Deprecation deprecation) {
        tx.handle()
                .createUpdate("""
                        UPDATE bundle SET deprecation_message = :message, deprecation_replacement = :replacement,
                                          updated_at = :now
                        WHERE id = :id
                        """)
                .bind("id", id)
                .bind("message", deprecation == null ? null : deprecation.message())
                .bind("replacement", deprecation == null ? null : deprecation.replacement())
                .bind("now", tx.now())
                .execute();
    }
}
