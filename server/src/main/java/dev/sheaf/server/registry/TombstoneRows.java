package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
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
            @Nullable Instant yankedAt,
            @Nullable String reason,
            boolean purged) {}

    /// @param version the deleted one, with its build metadata
    /// @param yankedAt since when it was yanked when it was deleted; null where it was not, or nobody wrote it down
    public record Tombstone(
            UUID id, Version version, @Nullable Instant yankedAt, Instant deletedAt) {
        /// When the version was published: its id, a UUID of version 7, begins with that (RFC 9562, 5.7).
        public Instant publishedAt() {
            return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
        }

        /// What somebody is told who asks for it.
        public Problem problem(RepositoryName name, String asked) {
            return new Problem.VersionDeleted(name, asked, deletedAt);
        }
    }

    private static final String SELECT =
            "SELECT id, version, yanked_at, deleted_at FROM tombstone WHERE repository_id = :repository";

    private TombstoneRows() {}

    public static void insert(Tx tx, Repository repository, Grave grave, String actor) {
        tx.change(
                """
                        INSERT INTO tombstone (id, repository_id, version, precedence, digest, yanked_at, deleted_at,
                                               deleted_by, reason, purged)
                        VALUES (:id, :repository, :version, :precedence, :digest, :yankedAt, :now, :actor, :reason,
                                :purged)
                        """,
                grave,
                "repository",
                repository.id(),
                "precedence",
                grave.version().precedence(),
                "actor",
                actor);
    }

    /// The deleted version of that precedence, whatever its build metadata.
    public static Optional<Tombstone> find(Tx tx, Repository repository, Version version) {
        return tx.first(
                SELECT + " AND precedence = :precedence",
                Tombstone.class,
                "repository",
                repository.id(),
                "precedence",
                version.precedence());
    }

    /// The deleted version that had this manifest. Another one may still have the same.
    public static Optional<Tombstone> find(Tx tx, Repository repository, Digest digest) {
        return tx.first(
                SELECT + " AND digest = :digest ORDER BY deleted_at DESC LIMIT 1",
                Tombstone.class,
                "repository",
                repository.id(),
                "digest",
                digest);
    }

    /// Those that were deleted after a moment.
    public static List<Tombstone> all(Tx tx, Repository repository, Instant after) {
        return tx.list(
                SELECT + " AND deleted_at > :after", Tombstone.class, "repository", repository.id(), "after", after);
    }
}
