package dev.sheaf.server.org;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.NamespaceRecord;
import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;

final class NamespaceRows {
    private static final RowMapper<NamespaceRecord> MAPPER = ConstructorMapper.of(NamespaceRecord.class);

    private static final String SELECT =
            "SELECT name AS handle, display_name, organization_id, created_at FROM namespace ";

    private NamespaceRows() {}

    /// @return false where the name was taken already, by whomever
    static boolean insert(Tx tx, Namespace name, String displayName, UUID organizationId, String actor) {
        return tx.handle()
                        .createUpdate("""
                                INSERT INTO namespace (name, display_name, organization_id, created_at, created_by)
                                VALUES (:name, :display, :organization, :now, :actor)
                                ON CONFLICT DO NOTHING
                                """)
                        .bind("name", name)
                        .bind("display", displayName)
                        .bind("organization", organizationId)
                        .bind("now", tx.now())
                        .bind("actor", actor)
                        .execute()
                == 1;
    }

    static Optional<NamespaceRecord> find(Tx tx, Namespace name) {
        return tx.handle()
                .createQuery(SELECT + "WHERE name = :name")
                .bind("name", name)
                .map(MAPPER)
                .findOne();
    }

    static List<NamespaceRecord> list(Tx tx, UUID organizationId, String after, int limit) {
        return tx.handle()
                .createQuery(SELECT + """
                        WHERE organization_id = :organization AND name > :after
                        ORDER BY name LIMIT :limit
                        """)
                .bind("organization", organizationId)
                .bind("after", after)
                .bind("limit", limit)
                .map(MAPPER)
                .list();
    }
}
