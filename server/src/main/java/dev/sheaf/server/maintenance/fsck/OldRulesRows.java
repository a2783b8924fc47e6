package dev.sheaf.server.maintenance.fsck;

import dev.sheaf.server.db.Tx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rows that [OldRules] checks.
final class OldRulesRows {
    /// A set of paths that are stored together.
    ///
    /// @param place the key after which the next page begins
    /// @param subject the version, or the bundle of the working assets
    record Paths(String place, String subject, List<String> paths) {}

    private OldRulesRows() {}

    /// Returns readable versions with the paths of their assets.
    static List<Paths> versions(Tx tx, String after, int limit) {
        return paths(tx, """
                SELECT v.id AS place, v.repository || ':' || v.version AS subject, a.path
                FROM (SELECT v.id, v.version, r.namespace || '/' || r.name AS repository
                      FROM version v JOIN bundle b ON b.id = v.bundle_id JOIN repository r ON r.id = b.repository_id
                      WHERE v.id > :after AND v.state IN ('published', 'yanked') AND r.deleted_at IS NULL
                      ORDER BY v.id LIMIT :limit) v
                LEFT JOIN asset a ON a.version_id = v.id ORDER BY v.id, a.path
                """, after, limit);
    }

    /// Returns bundles with the paths of their working assets.
    static List<Paths> workingSets(Tx tx, String after, int limit) {
        return paths(tx, """
                SELECT b.id AS place, r.namespace || '/' || r.name || ' (working assets)' AS subject, a.path
                FROM working_asset a
                JOIN (SELECT DISTINCT bundle_id FROM working_asset WHERE bundle_id > :after
                      ORDER BY bundle_id LIMIT :limit) w ON w.bundle_id = a.bundle_id
                JOIN bundle b ON b.id = a.bundle_id JOIN repository r ON r.id = b.repository_id
                ORDER BY b.id, a.path
                """, after, limit);
    }

    private record Line(
            String place, String subject, @Nullable String path) {}

    private static List<Paths> paths(Tx tx, String sql, String after, int limit) {
        Map<String, Paths> found = new LinkedHashMap<>();
        for (var line : tx.list(sql, Line.class, "after", after, "limit", limit)) {
            var paths =
                    found.computeIfAbsent(line.place(), place -> new Paths(place, line.subject(), new ArrayList<>()));
            if (line.path() != null) {
                paths.paths().add(line.path());
            }
        }
        return List.copyOf(found.values());
    }

    static List<String> namespaces(Tx tx) {
        return tx.list("SELECT name FROM namespace ORDER BY name", String.class);
    }

    static List<String> organizations(Tx tx) {
        return tx.list("SELECT handle FROM organization ORDER BY handle", String.class);
    }

    /// Returns repositories whose names end like files of other protocols, as `namespace/name`.
    static List<String> endingLikeAnother(Tx tx) {
        return tx.list("""
                        SELECT namespace || '/' || name FROM repository
                        WHERE deleted_at IS NULL AND (name LIKE '%.git' OR name LIKE '%.json') ORDER BY 1
                        """, String.class);
    }

    /// A trusted publisher.
    ///
    /// @param organization the handle of its organization
    /// @param restrictions the stored form of the bundles that it may publish
    record Publisher(String id, String organization, String restrictions) {}

    static List<Publisher> publishers(Tx tx) {
        return tx.list("""
                        SELECT p.id, o.handle AS organization, p.bundles AS restrictions FROM trusted_publisher p
                        JOIN organization o ON o.id = p.organization_id ORDER BY p.id
                        """, Publisher.class);
    }

    /// Returns the handle of the owner of each namespace.
    static Map<String, String> owners(Tx tx) {
        return tx.map(
                "SELECT n.name, o.handle FROM namespace n JOIN organization o ON o.id = n.organization_id",
                String.class,
                String.class);
    }
}
