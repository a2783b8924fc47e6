package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// What was deleted for good (contract 3.7): numbers and digests that are never used again in their repository.
public final class TombstoneRows {
    /// A version that is to be no more.
    ///
    /// @param reason in the words of who deletes it
    /// @param purged whether its bytes went at once
    public record Grave(
            UUID id,
            Version version,
            Digest digest,
            @Nullable String reason,
            boolean purged) {}

    /// @param version the deleted one, with its build metadata
    public record Tombstone(Version version, Instant deletedAt) {
        /// What somebody is told who asks for it.
        public Problem problem(RepositoryName name, String asked) {
            return new Problem.VersionDeleted(name, asked, deletedAt);
        }
    }

    private TombstoneRows() {}

    public static void insert(Tx tx, Repository repository, Grave grave, String actor) {
        tx.handle()
                .createUpdate("""
                        INSERT INTO tombstone (id, repository_id, version, precedence, digest, deleted_at, deleted_by,
                                               reason, purged)
                        VALUES (:id, :repository, :version, :precedence, :digest, :now, :actor, :reason, :purged)
                        """)
                .bind("id", grave.id())
                .bind("repository", repository.id())
                .bind("version", grave.version())
                .bind("precedence", grave.version().precedence())
                .bind("digest", grave.digest())
                .bind("now", tx.now())
                .bind("actor", actor)
                .bind("reason", grave.reason())
                .bind("purged", grave.purged() ? 1 : 0)
                .execute();
    }

    /// The deleted version of that precedence, whatever its build metadata.
    public static Optional<Tombstone> find(Tx tx, Repository repository, Version version) {
        return first(tx.handle()
                .createQuery("""
                        SELECT version, deleted_at FROM tombstone
                        WHERE repository_id = :repository AND precedence = :precedence
                        """)
                .bind("repository", repository.id())
                .bind("precedence", version.precedence()));
    }

    /// The deleted version that had this manifest. Another one may still have the same.
    public static Optional<Tombstone> find(Tx tx, Repository repository, Digest digest) {
        return first(
                tx.handle().createQuery("""
                        SELECT version, deleted_at FROM tombstone
                        WHERE repository_id = :repository AND digest = :digest ORDER BY deleted_at DESC LIMIT 1
                        """).bind("repository", repository.id()).bind("digest", digest));
    }

    private static Optional<Tombstone> first(Query query) {
        return query.map((row, context) -> new Tombstone(
                        Version.parse(row.getString("version")), Instant.ofEpochMilli(row.getLong("deleted_at"))))
                .findFirst();
    }
}
