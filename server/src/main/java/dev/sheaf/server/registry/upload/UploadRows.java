package dev.sheaf.server.registry.upload;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.org.quota.UsageChanges;
import dev.sheaf.server.registry.content.UploadRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

final class UploadRows {
    private static final String SELECT =
            "SELECT id, repository_id, organization_id, principal, algorithm, draft_id AS draft, written, expires_at, promise"
                    + " FROM upload";

    private UploadRows() {}

    /// Returns the number of uploads of all repositories that have begun and not ended.
    static long open(Tx tx) {
        return tx.number("SELECT count(*) FROM upload WHERE expires_at > :now");
    }

    static void insert(Tx tx, UploadRecord upload) {
        tx.change("""
                        INSERT INTO upload (id, repository_id, organization_id, principal, algorithm, draft_id,
                                            written, created_at, expires_at, promise)
                        VALUES (:id, :repositoryId, :organizationId, :principal, upper(:algorithm), :draft, :written, :now,
                                :expiresAt, :promise)
                        """, upload);
    }

    static Optional<UploadRecord> find(Tx tx, UUID id) {
        return tx.find(SELECT + " WHERE id = :id", UploadRecord.class, "id", id);
    }

    /// Changes the offset and the draft, unless they were changed since `from` was read.
    static boolean advance(Tx tx, UploadRecord from, UploadRecord to) {
        boolean advanced = tx.change("""
                                UPDATE upload SET written = :written, draft_id = :draft, expires_at = :expiresAt
                                WHERE id = :id AND written = :from
                                """, to, "from", from.written()) == 1;
        if (advanced) {
            reserve(tx, from, to.written() - from.written());
        }
        return advanced;
    }

    /// Moves the end of an upload whose bytes arrive.
    static int use(Tx tx, UUID id, Instant expiresAt) {
        return tx.change("UPDATE upload SET expires_at = :expires WHERE id = :id", "id", id, "expires", expiresAt);
    }

    /// Deletes the row, unless the upload was changed or deleted since `upload` was read.
    static boolean remove(Tx tx, UploadRecord upload) {
        boolean removed = tx.change("DELETE FROM upload WHERE id = :id AND written = :written", upload) == 1;
        if (removed) {
            reserve(tx, upload, -upload.written());
        }
        return removed;
    }

    private static void reserve(Tx tx, UploadRecord upload, long bytes) {
        if (upload.organizationId() != null) {
            UsageChanges.reserve(tx, upload.organizationId(), bytes);
        }
    }

    /// Counts of open uploads.
    record Open(long ofOrganization, long ofPrincipal) {}

    static Open open(Tx tx, UUID organizationId, String principal) {
        return tx.one("""
                        SELECT count(*) AS of_organization,
                               COUNT(CASE WHEN principal = :principal THEN 1 END) AS of_principal
                        FROM upload WHERE organization_id = :organization AND expires_at > :now
                        """, Open.class, "organization", organizationId, "principal", principal);
    }

    /// Returns open uploads that expire before a moment, so were not used lately, the longest unused first.
    ///
    /// @param principal only those of this one; null for those of all
    /// @param limit the most to return
    static List<UploadRecord> idle(Tx tx, UUID organizationId, @Nullable String principal, Instant before, int limit) {
        return tx.list(
                SELECT + " WHERE organization_id = :organization AND expires_at > :now AND expires_at <= :before"
                        + (principal == null ? "" : " AND principal = :principal")
                        + " ORDER BY expires_at LIMIT :limit" + tx.dialect().skipLocked(),
                UploadRecord.class,
                "organization",
                organizationId,
                "before",
                before,
                "principal",
                principal == null ? "" : principal,
                "limit",
                limit);
    }

    static List<UploadRecord> expired(Tx tx, int limit) {
        return tx.list(
                SELECT + " WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit"
                        + tx.dialect().skipLocked(),
                UploadRecord.class,
                "limit",
                limit);
    }
}
