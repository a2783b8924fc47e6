package dev.sheaf.server.org;

import dev.sheaf.engine.db.ColumnReader;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.NamespaceRecord;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

public final class NamespaceRows {

    private static final String SELECT =
            "SELECT name AS handle, display_name, organization_id, created_at, skills_index FROM namespace ";

    private NamespaceRows() {}

    /// Inserts a namespace. Returns empty if any organization owns the name already.
    static Optional<NamespaceRecord> insert(
            Tx tx, Namespace name, String displayName, UUID organizationId, String actor) {
        record Row(Namespace name, String displayName, UUID organizationId, String actor) {}
        return tx.find("""
                INSERT INTO namespace (name, display_name, organization_id, created_at, created_by)
                VALUES (:name, :displayName, :organizationId, :now, :actor) ON CONFLICT DO NOTHING
                RETURNING name AS handle, display_name, organization_id, created_at, skills_index
                """, NamespaceRecord.class, new Row(name, displayName, organizationId, actor));
    }

    public static Optional<NamespaceRecord> find(Tx tx, Namespace name) {
        return tx.find(SELECT + "WHERE name = :name", NamespaceRecord.class, "name", name);
    }

    /// Returns the owners of the namespaces, without free namespaces.
    static Map<Namespace, UUID> owners(Tx tx, Collection<Namespace> names) {
        if (names.isEmpty()) {
            return Map.of();
        }
        return tx
                .list(
                        "SELECT name, organization_id FROM namespace WHERE name IN (<names>)",
                        row -> Map.entry(
                                new Namespace(row.getString("name")), ColumnReader.uuid(row, "organization_id")),
                        "names",
                        names)
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /// Locks the namespace until the transaction ends, so that no usage is counted for its owner during that
    /// time.
    public static Optional<NamespaceRecord> lock(Tx tx, Namespace name) {
        String lock =
                "SELECT 1 FROM namespace WHERE name = :name" + tx.dialect().forDelete();
        return tx.has(lock, "name", name) ? find(tx, name) : Optional.empty();
    }

    public static void setOwner(Tx tx, Namespace name, UUID organizationId) {
        tx.change(
                "UPDATE namespace SET organization_id = :organization WHERE name = :name",
                "organization",
                organizationId,
                "name",
                name);
    }

    static void setSkillsIndex(Tx tx, Namespace name, boolean shown) {
        tx.change(
                "UPDATE namespace SET skills_index = :shown WHERE name = :name", "shown", shown ? 1 : 0, "name", name);
    }

    static List<NamespaceRecord> list(Tx tx, UUID organizationId, String after, int limit) {
        return tx.list(
                SELECT + """
                        WHERE organization_id = :organization AND name > :after ORDER BY name LIMIT :limit
                        """, NamespaceRecord.class, "organization", organizationId, "after", after, "limit", limit);
    }
}
