package dev.sheaf.server.registry;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Records of permanently deleted versions (contract 3.7). Their numbers and digests are never reused in their
/// repository.
public final class TombstoneRows {
    /// A version that is being deleted.
    ///
    /// @param reason given by the person who deletes it
    /// @param purged whether its bytes were removed at once
    public record Grave(
            UUID id,
            Version version,
            Digest digest,
            @Nullable Instant yankedAt,
            @Nullable String reason,
            boolean purged) {}

    /// @param version the deleted one, with its build metadata
    /// @param yankedAt when the deleted version had been yanked; null if it was not, or if that is not known
    public record Tombstone(
            UUID id, Version version, @Nullable Instant yankedAt, Instant deletedAt) {
        /// Returns when the version was published: its id, a UUID of version 7, begins with that time (RFC
        /// 9562, section 5.7).
        public Instant publishedAt() {
            return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
        }

        /// Returns the answer to a request for the deleted version.
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

    /// Returns the deleted version with this precedence; build metadata is ignored.
    public static Optional<Tombstone> find(Tx tx, Repository repository, Version version) {
        return tx.first(
                SELECT + " AND precedence = :precedence",
                Tombstone.class,
                "repository",
                repository.id(),
                "precedence",
                version.precedence());
    }

    /// Returns the deleted version that had this manifest. An existing version may have the same manifest.
    public static Optional<Tombstone> find(Tx tx, Repository repository, Digest digest) {
        return tx.first(
                SELECT + " AND digest = :digest ORDER BY deleted_at DESC LIMIT 1",
                Tombstone.class,
                "repository",
                repository.id(),
                "digest",
                digest);
    }

    /// Returns the deleted versions with this precedence or manifest, the last deleted first.
    public static PipelineAnswer<List<Tombstone>> either(Tx tx, Repository repository, Version version, Digest digest) {
        return tx.soon(
                SELECT + " AND (precedence = :precedence OR digest = :digest) ORDER BY deleted_at DESC",
                Tombstone.class,
                "repository",
                repository.id(),
                "precedence",
                version.precedence(),
                "digest",
                digest);
    }

    /// Returns versions that were deleted after a moment.
    public static List<Tombstone> all(Tx tx, Repository repository, Instant after) {
        return tx.list(
                SELECT + " AND deleted_at > :after", Tombstone.class, "repository", repository.id(), "after", after);
    }
}
