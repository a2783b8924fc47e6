package dev.sheaf.server.registry.upload;

import dev.sheaf.model.Digest;
import dev.sheaf.server.blob.DraftId;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.org.quota.Usage;
import dev.sheaf.server.registry.content.UploadRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

final class UploadRows {
    private static final String SELECT =
            "SELECT id, repository_id, organization_id, principal, algorithm, draft_id, written, expires_at FROM upload";

    private UploadRows() {}

    static void insert(Tx tx, UploadRecord upload) {
        tx.change(
                """
                        INSERT INTO upload (id, repository_id, organization_id, principal, algorithm, draft_id,
                                            written, created_at, expires_at)
                        VALUES (:id, :repository, :organization, :principal, :algorithm, :draft, :written, :now,
                                :expires)
                        """,
                "id",
                upload.id(),
                "repository",
                upload.repositoryId(),
                "organization",
                upload.organizationId().orElse(null),
                "principal",
                upload.principal(),
                "algorithm",
                upload.algorithm().name(),
                "draft",
                upload.draft().toString(),
                "written",
                upload.written(),
                "now",
                tx.now(),
                "expires",
                upload.expiresAt());
    }

    static Optional<UploadRecord> find(Tx tx, UUID id) {
        return tx.find(SELECT + " WHERE id = :id", UploadRows::read, "id", id);
    }

    /// Moves the offset and the draft, unless somebody else has moved them since `from` was read.
    static boolean advance(Tx tx, UploadRecord from, UploadRecord to) {
        boolean advanced = tx.change(
                        """
                                UPDATE upload SET written = :to, draft_id = :draft, expires_at = :expires
                                WHERE id = :id AND written = :from
                                """,
                        "to",
                        to.written(),
                        "draft",
                        to.draft().toString(),
                        "expires",
                        to.expiresAt(),
                        "id",
                        from.id(),
                        "from",
                        from.written())
                == 1;
        if (advanced) {
            from.organizationId().ifPresent(owner -> Usage.reserve(tx, owner, to.written() - from.written()));
        }
        return advanced;
    }

    /// Removes the row, unless somebody else has moved its offset or removed it since `upload` was read.
    static boolean remove(Tx tx, UploadRecord upload) {
        boolean removed = tx.change(
                        "DELETE FROM upload WHERE id = :id AND written = :written",
                        "id",
                        upload.id(),
                        "written",
                        upload.written())
                == 1;
        if (removed) {
            upload.organizationId().ifPresent(owner -> Usage.reserve(tx, owner, -upload.written()));
        }
        return removed;
    }

    /// How many uploads are open.
    record Open(long ofOrganization, long ofPrincipal) {}

    static Open open(Tx tx, UUID organizationId, String principal) {
        return tx.one(
                """
                        SELECT count(*) AS every, COUNT(CASE WHEN principal = :principal THEN 1 END) AS own
                        FROM upload WHERE organization_id = :organization AND expires_at > :now
                        """,
                row -> new Open(row.getLong("every"), row.getLong("own")),
                "organization",
                organizationId,
                "principal",
                principal,
                "now",
                tx.now());
    }

    static List<UploadRecord> expired(Tx tx, int limit) {
        return tx.list(
                SELECT + " WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit"
                        + tx.dialect().skipLocked(),
                UploadRows::read,
                "now",
                tx.now(),
                "limit",
                limit);
    }

    private static UploadRecord read(ResultSet row) throws SQLException {
        return new UploadRecord(
                UUID.fromString(row.getString("id")),
                row.getLong("repository_id"),
                Optional.ofNullable(row.getString("organization_id")).map(UUID::fromString),
                row.getString("principal"),
                Digest.Algorithm.valueOf(row.getString("algorithm")),
                DraftId.parse(row.getString("draft_id")),
                row.getLong("written"),
                Instant.ofEpochMilli(row.getLong("expires_at")));
    }
}
