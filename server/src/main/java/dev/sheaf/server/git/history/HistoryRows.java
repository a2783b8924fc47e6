package dev.sheaf.server.git.history;

import dev.sheaf.model.Digest;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// The rows of derived commits and objects.
public final class HistoryRows {
    private static final String COLUMNS = "SELECT id, kind, size, digest, content FROM git_object";
    private static final String SMALL_CONTENT =
            "SELECT id, kind, size, digest, CASE WHEN size <= :most THEN content END AS content FROM git_object";

    private HistoryRows() {}

    /// The commit of a version.
    ///
    /// @param id null if the version is withheld, for the reason in `leftOut`
    record Commit(
            UUID versionId,
            @Nullable String id,
            @Nullable String parent,
            @Nullable String tree,
            @Nullable String leftOut) {}

    static Map<UUID, Commit> commits(Tx tx, long repositoryId) {
        var found = new HashMap<UUID, Commit>();
        tx.list(
                        """
                        SELECT version_id, id, parent, tree, left_out FROM git_commit WHERE repository_id = :repository
                        """,
                        row -> new Commit(
                                UUID.fromString(row.getString(1)),
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                row.getString(5)),
                        "repository",
                        repositoryId)
                .forEach(commit -> found.put(commit.versionId(), commit));
        return found;
    }

    /// Stores the commit of a version, replacing an earlier one.
    static void put(Tx tx, long repositoryId, Commit commit) {
        tx.change("""
                DELETE FROM git_object WHERE version_id = :versionId AND kind = 'commit'
                """, commit);
        tx.change("""
                INSERT INTO git_commit (version_id, repository_id, id, parent, tree, left_out)
                VALUES (:versionId, :repository, :id, :parent, :tree, :leftOut)
                ON CONFLICT (version_id) DO UPDATE SET
                    id = excluded.id, parent = excluded.parent, tree = excluded.tree, left_out = excluded.left_out
                """, commit, "repository", repositoryId);
    }

    /// Stores the objects that a version adds; existing ones stay.
    static void insert(Tx tx, long repositoryId, UUID versionId, Collection<GitObject> objects) {
        tx.each(
                """
                INSERT INTO git_object (repository_id, id, version_id, kind, size, digest, content)
                VALUES (:repository, :id, :version, :kind, :size, :digest, :content)
                ON CONFLICT (repository_id, id) DO NOTHING
                """,
                objects.stream().map(HistoryRows::values).toList(),
                "repository",
                repositoryId,
                "version",
                versionId);
    }

    private static Map<String, @Nullable Object> values(GitObject object) {
        var values = new HashMap<String, @Nullable Object>();
        values.put("id", object.id().name());
        values.put("kind", object.kind().toString());
        values.put("size", object.size());
        values.put("digest", object.digest());
        values.put("content", object.packed());
        return values;
    }

    /// Returns the known blobs with these digests.
    static List<GitObject> blobs(Tx tx, long repositoryId, Collection<Digest> digests) {
        return tx.list(
                COLUMNS + " WHERE repository_id = :repository AND digest IN (<digests>)",
                HistoryRows::object,
                "repository",
                repositoryId,
                "digests",
                digests);
    }

    /// Returns the existing ones of these objects, in any order.
    ///
    /// @param most the maximum number of uncompressed bytes; larger commits and trees are returned without
    ///     their bytes, to save memory
    public static List<GitObject> find(Tx tx, long repositoryId, Collection<String> ids, int most) {
        return tx.list(
                SMALL_CONTENT + " WHERE repository_id = :repository AND id IN (<ids>)",
                HistoryRows::object,
                "repository",
                repositoryId,
                "ids",
                ids,
                "most",
                most);
    }

    /// Returns an object with its bytes, whatever its size.
    public static Optional<GitObject> find(Tx tx, long repositoryId, String id) {
        return tx.first(
                COLUMNS + " WHERE repository_id = :repository AND id = :id",
                HistoryRows::object,
                "repository",
                repositoryId,
                "id",
                id);
    }

    /// Returns the commits of the repository.
    public static List<GitObject> commitObjects(Tx tx, long repositoryId) {
        return tx.list(
                COLUMNS + " WHERE version_id IN (SELECT version_id FROM git_commit WHERE repository_id = :repository)"
                        + " AND kind = 'commit'",
                HistoryRows::object,
                "repository",
                repositoryId);
    }

    static long count(Tx tx, long repositoryId) {
        return tx.number(
                "SELECT count(*) FROM git_object WHERE repository_id = :repository", "repository", repositoryId);
    }

    private static GitObject object(ResultSet row) throws SQLException {
        String digest = row.getString("digest");
        return new GitObject(
                ObjectId.fromString(row.getString("id")),
                GitObject.Kind.of(row.getString("kind")),
                row.getLong("size"),
                digest == null ? null : Digest.parse(digest),
                row.getBytes("content"));
    }
}
