package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.CanonicalJson;
import dev.sheaf.server.org.quota.UsageAmounts;
import dev.sheaf.server.org.quota.UsageChanges;
import dev.sheaf.server.registry.ReleaseReason;
import dev.sheaf.server.registry.referrer.Referrers;
import dev.sheaf.server.registry.referrer.SignatureRows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

public final class ManifestRows {
    public static final String COLUMNS_FROM =
            "m.id, m.digest, m.media_type, m.artifact_type, m.subject_digest AS subject, m.size,"
                    + " m.recalled_by_id, m.held FROM manifest m";
    public static final String SELECT = "SELECT " + COLUMNS_FROM;

    private static final String RELEASED = "look_at = :now, released_at = :now, released_by = :by";

    private ManifestRows() {}

    /// Returns the manifest, damaged or not.
    public static Optional<ManifestRecord> any(Tx tx, long repositoryId, Digest digest) {
        return find(tx, repositoryId, digest, "");
    }

    /// Returns the manifest unless it is known to be damaged.
    static Optional<ManifestRecord> find(Tx tx, long repositoryId, Digest digest) {
        return find(tx, repositoryId, digest, " AND m.state = 'ok'");
    }

    private static Optional<ManifestRecord> find(Tx tx, long repositoryId, Digest digest, String condition) {
        return tx.find(
                SELECT + " WHERE m.repository_id = :repository AND m.digest = :digest" + condition,
                ManifestRecord.class,
                "repository",
                repositoryId,
                "digest",
                digest);
    }

    static Optional<ManifestRecord> find(Tx tx, long repositoryId, String tag) {
        return tx.find(
                SELECT
                        + " JOIN tag t ON t.manifest_id = m.id WHERE t.repository_id = :repository AND t.name = :tag"
                        + " AND m.state = 'ok'",
                ManifestRecord.class,
                "repository",
                repositoryId,
                "tag",
                tag);
    }

    public static Optional<byte[]> content(Tx tx, long manifestId) {
        return tx.find(
                "SELECT content FROM manifest_content WHERE manifest_id = :manifest",
                byte[].class,
                "manifest",
                manifestId);
    }

    /// Returns the undamaged manifests with these digests that the repository holds, and prevents their deletion
    /// until the transaction ends.
    static List<ManifestRecord> hold(Tx tx, long repositoryId, Collection<Digest> digests) {
        return tx.list(
                SELECT
                        + " WHERE m.repository_id = :repository AND m.digest IN (<digests>) AND m.state = 'ok'"
                        + " ORDER BY m.id"
                        + tx.dialect().keyShare(),
                ManifestRecord.class,
                "repository",
                repositoryId,
                "digests",
                digests);
    }

    /// A manifest's row.
    record Present(long id, boolean isSuspect, boolean isRecalled) {}

    /// Renews the lease of a manifest that exists.
    public static Optional<Present> renew(Tx tx, long repositoryId, Digest digest, Instant until) {
        return tx.find("""
                        UPDATE manifest SET leased_until = :until, released_at = NULL, released_by = NULL
                        WHERE repository_id = :repository AND digest = :digest
                        RETURNING id, state = 'suspect' AS is_suspect, recalled_by_id IS NOT NULL AS is_recalled
                        """, Present.class, "until", until, "repository", repositoryId, "digest", digest);
    }

    /// Returns how long a manifest is leased, and extends its lease if it would end before `soon`. Empty if it
    /// is gone.
    public static Optional<Instant> prolong(Tx tx, long manifestId, Instant soon, Instant until) {
        tx.change(
                "UPDATE manifest SET leased_until = :until WHERE id = :manifest AND leased_until < :soon",
                "until",
                until,
                "manifest",
                manifestId,
                "soon",
                soon);
        return leasedUntil(tx, manifestId);
    }

    public static Optional<Instant> leasedUntil(Tx tx, long manifestId) {
        return tx.find("SELECT leased_until FROM manifest WHERE id = :manifest", Instant.class, "manifest", manifestId);
    }

    private record NewRow(
            Digest digest,
            String mediaType,
            @Nullable String artifactType,
            @Nullable Digest subject,
            @Nullable String annotations,
            long size) {}

    /// A new manifest.
    ///
    /// @param isAwaited whether an index that was stored before lists it
    /// @param isReferred whether something refers to it already: a manifest that was pushed before its subject
    record Inserted(long id, boolean isAwaited, boolean isReferred) {}

    /// Inserts a row. Empty if another transaction has just stored the digest.
    static Optional<Inserted> insert(Tx tx, long repositoryId, ManifestDocument document, Instant until, boolean held) {
        var annotations = annotations(document);
        var row = new NewRow(
                document.digest(),
                document.mediaType(),
                document.artifactType().orElse(null),
                document.subject().orElse(null),
                annotations,
                document.size());
        var inserted = tx.find(
                """
                        INSERT INTO manifest (repository_id, digest, media_type, artifact_type, subject_digest,
                                              annotations, size, state, leased_until, look_at, created_at,
                                              checked_at, held)
                        VALUES (:repository, :digest, :mediaType, :artifactType, :subject,
                                :annotations, :size, 'ok', :until, :until, :now, :checked, :held)
                        ON CONFLICT (repository_id, digest) DO NOTHING
                        RETURNING id,
                            EXISTS (SELECT 1 FROM manifest_absent a WHERE a.repository_id = :repository
                                    AND a.kind = 'manifest' AND a.digest = :digest) AS is_awaited,
                            EXISTS (SELECT 1 FROM manifest r WHERE r.repository_id = :repository
                                    AND r.subject_digest = :digest)
                            OR EXISTS (SELECT 1 FROM tag t WHERE t.repository_id = :repository
                                       AND t.name = :fallback) AS is_referred
                        """,
                Inserted.class,
                row,
                "repository",
                repositoryId,
                "until",
                until,
                "checked",
                CheckTime.at(tx),
                "held",
                held,
                "fallback",
                Referrers.fallbackTag(document.digest()));
        inserted.ifPresent(made -> {
            SignatureRows.note(tx, made.id(), document.artifactType().orElse(null), annotations);
            UsageChanges.add(tx, repositoryId, UsageAmounts.ofBytes(document.size()));
        });
        return inserted;
    }

    /// Writes the content of a new manifest, and what it refers to.
    static void fill(Tx tx, long manifestId, long repositoryId, byte[] content, Collection<Long> blobIds) {
        tx.later(
                "INSERT INTO manifest_content (manifest_id, content) VALUES (:manifest, :content)",
                "manifest",
                manifestId,
                "content",
                content);
        tx.laterEach(
                "INSERT INTO manifest_blob (manifest_id, repository_id, blob_id) VALUES (:manifest, :repository, :each)",
                blobIds,
                "manifest",
                manifestId,
                "repository",
                repositoryId);
    }

    private static @Nullable String annotations(ManifestDocument document) {
        return document.annotations().isEmpty() ? null : CanonicalJson.of(document.annotations());
    }

    /// Marks a manifest's content as damaged. Returns whether that changed anything.
    static boolean suspect(Tx tx, long manifestId) {
        return tx.change(
                        "UPDATE manifest SET state = 'suspect' WHERE id = :manifest AND state = 'ok'",
                        "manifest",
                        manifestId)
                == 1;
    }

    /// Trusts a manifest's content again. Returns whether that changed anything.
    static boolean trust(Tx tx, long manifestId) {
        return tx.change("""
                                UPDATE manifest SET state = 'ok', checked_at = :now
                                WHERE id = :manifest AND state = 'suspect'
                                """, "manifest", manifestId) == 1;
    }

    static void setContent(Tx tx, long manifestId, byte[] content) {
        tx.change("""
                        INSERT INTO manifest_content (manifest_id, content) VALUES (:manifest, :content)
                        ON CONFLICT (manifest_id) DO UPDATE SET content = excluded.content
                        """, "manifest", manifestId, "content", content);
    }

    static void insertBlobs(Tx tx, long manifestId, long repositoryId, Collection<Long> blobIds) {
        tx.laterEach("""
                        INSERT INTO manifest_blob (manifest_id, repository_id, blob_id)
                        VALUES (:manifest, :repository, :each) ON CONFLICT DO NOTHING
                        """, blobIds, "manifest", manifestId, "repository", repositoryId);
    }

    static void insertChildren(Tx tx, long manifestId, Collection<Long> childIds) {
        tx.laterEach(
                "INSERT INTO manifest_child (manifest_id, child_id) VALUES (:manifest, :each)",
                childIds,
                "manifest",
                manifestId);
    }

    /// Returns whether a manifest is an index of others.
    public static boolean listsOthers(Tx tx, long manifestId) {
        return tx.has("SELECT 1 FROM manifest_child WHERE manifest_id = :manifest LIMIT 1", "manifest", manifestId);
    }

    /// Returns one of the repository's manifests that refer to a blob.
    static Optional<Digest> referringTo(Tx tx, long repositoryId, long blobId) {
        return tx.find("""
                        SELECT m.digest FROM manifest_blob b JOIN manifest m ON m.id = b.manifest_id
                        WHERE b.repository_id = :repository AND b.blob_id = :blob ORDER BY m.id LIMIT 1
                        """, Digest.class, "repository", repositoryId, "blob", blobId);
    }

    /// Returns whether a manifest refers to a blob.
    static boolean hasBlob(Tx tx, long repositoryId, Digest manifest, Digest blob) {
        return tx.has("""
                        SELECT 1 FROM manifest m JOIN manifest_blob b ON b.manifest_id = m.id JOIN blob ON blob.id = b.blob_id
                        WHERE m.repository_id = :repository AND m.digest = :manifest AND blob.digest = :blob
                        """, "repository", repositoryId, "manifest", manifest, "blob", blob);
    }

    /// Returns one of the indexes that list a manifest.
    public static Optional<Digest> listing(Tx tx, long manifestId) {
        return tx.find("""
                        SELECT m.digest FROM manifest_child c JOIN manifest m ON m.id = c.manifest_id
                        WHERE c.child_id = :manifest ORDER BY m.id LIMIT 1
                        """, Digest.class, "manifest", manifestId);
    }

    private record Gone(long repositoryId, long size) {}

    /// Notes that a manifest is no longer needed by something, so that the collector looks at it again.
    public static void release(Tx tx, long manifestId, ReleaseReason by) {
        release(tx, manifestId, by, ":manifest");
    }

    /// Deletes a manifest that nothing needs. Its blobs lose a reference; the manifests that it lists and its
    /// referrers are released.
    public static void delete(Tx tx, long manifestId) {
        lookAtBlobs(tx, manifestId);
        release(
                tx,
                manifestId,
                ReleaseReason.INDEX,
                "SELECT child_id FROM manifest_child WHERE manifest_id = :manifest");
        release(tx, manifestId, ReleaseReason.SUBJECT, """
                SELECT r.id FROM manifest m
                JOIN manifest r ON r.repository_id = m.repository_id AND r.subject_digest = m.digest
                WHERE m.id = :manifest
                """);
        tx.find(
                        "DELETE FROM manifest WHERE id = :manifest RETURNING repository_id, size",
                        Gone.class,
                        "manifest",
                        manifestId)
                .ifPresent(gone -> UsageChanges.add(tx, gone.repositoryId(), UsageAmounts.ofBytes(-gone.size())));
    }

    /// Makes the collector look at a manifest's links soon. It does not wait for locks: links locked by others
    /// are examined at their regular time.
    private static void lookAtBlobs(Tx tx, long manifestId) {
        tx.change("""
                        UPDATE link SET look_at = :now WHERE look_at > :now AND (repository_id, blob_id) IN (
                            SELECT l.repository_id, l.blob_id FROM manifest_blob b
                            JOIN link l ON l.repository_id = b.repository_id AND l.blob_id = b.blob_id
                            WHERE b.manifest_id = :manifest %s)
                        """.formatted(tx.dialect().skipLocked()), "manifest", manifestId);
    }

    private static void release(Tx tx, long manifestId, ReleaseReason by, String which) {
        tx.later("UPDATE manifest SET " + RELEASED + " WHERE id IN (" + which + ")", "manifest", manifestId, "by", by);
    }
}
