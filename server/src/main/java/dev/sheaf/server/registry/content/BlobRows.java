package dev.sheaf.server.registry.content;

import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.org.quota.UsageAmounts;
import dev.sheaf.server.org.quota.UsageChanges;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

public final class BlobRows {
    public static final String COLUMNS_FROM = "b.id, b.digest, b.size, b.object_id AS object FROM blob b";

    /// A blob's row, which all repositories share.
    public record Row(BlobRecord blob, boolean isSuspect) {}

    private static final int ATTEMPTS = 10;

    private BlobRows() {}

    /// Returns the rows that exist for these digests and prevents their deletion until the transaction ends.
    public static List<Row> hold(Tx tx, Collection<String> digests) {
        return holdSoon(tx, digests).get();
    }

    static PipelineAnswer<List<Row>> holdSoon(Tx tx, Collection<String> digests) {
        return tx.soon("""
                        SELECT b.state = 'suspect' AS is_suspect, %s WHERE b.digest IN (<digests>) ORDER BY b.digest
                        """.formatted(COLUMNS_FROM) + tx.dialect().keyShare(), Row.class, "digests", digests);
    }

    /// Returns the blob if the repository holds it undamaged.
    static Optional<BlobRecord> find(Tx tx, long repositoryId, Digest digest) {
        return tx.find("SELECT " + COLUMNS_FROM + """
                         JOIN link l ON l.blob_id = b.id
                        WHERE b.digest = :digest AND l.repository_id = :repository AND b.state = 'ok'
                        """, BlobRecord.class, "digest", digest, "repository", repositoryId);
    }

    /// A blob that a repository holds.
    record Linked(BlobRecord blob, Instant leasedUntil) {}

    /// Returns the undamaged blobs with these digests that the repository holds, and prevents the deletion of
    /// their links until the transaction ends.
    static List<Linked> holdLinks(Tx tx, long repositoryId, Collection<Digest> digests) {
        return tx.list(
                "SELECT l.leased_until, " + COLUMNS_FROM + """
                         JOIN link l ON l.blob_id = b.id
                        WHERE b.digest IN (<digests>) AND l.repository_id = :repository AND b.state = 'ok'
                        ORDER BY b.id
                        """ + tx.dialect().keyShare(),
                Linked.class,
                "digests",
                digests,
                "repository",
                repositoryId);
    }

    /// Returns the object that contains a digest's bytes.
    static Optional<ObjectId> object(Tx tx, Digest digest) {
        return tx.find(
                "SELECT object_id FROM blob WHERE digest = :digest AND object_id IS NOT NULL",
                ObjectId.class,
                "digest",
                digest);
    }

    /// Returns the parts of object names ([ObjectId#part]) that rows of blobs refer to.
    public static List<String> named(Tx tx, Collection<String> parts) {
        return tx.list("""
                        SELECT substr(object_id, length(object_id) - 31) AS part FROM blob
                        WHERE object_id IS NOT NULL AND substr(object_id, length(object_id) - 31) IN (<parts>)
                        """, String.class, "parts", parts);
    }

    /// Inserts rows for blobs, in this order, and skips digests that already have a row. If another transaction
    /// has inserted the row of a small blob, the row contains the same bytes. Returns the new rows, which
    /// nobody else sees before the transaction ends.
    public static List<Row> insert(Tx tx, List<StagedBlob> blobs) {
        var made = tx.soonEach("""
                        INSERT INTO blob (digest, size, object_id, state, created_at, checked_at)
                        VALUES (:digest, :size, :object, 'ok', :now, :checked)
                        ON CONFLICT (digest) DO NOTHING
                        RETURNING 0 AS is_suspect, id, digest, size, object_id AS object
                        """, Row.class, blobs.stream().map(BlobRows::row).toList(), "checked", CheckTime.at(tx))
                .get();
        var bytes = blobs.stream()
                .filter(StagedBlob.Inline.class::isInstance)
                .collect(Collectors.toMap(StagedBlob::digest, blob -> ((StagedBlob.Inline) blob).bytes()));
        var contents = new ArrayList<Content>();
        for (var row : made) {
            byte[] content = bytes.get(row.blob().digest());
            if (content != null) {
                contents.add(new Content(row.blob().id(), content));
            }
        }
        tx.laterEach("INSERT INTO blob_content (blob_id, content) VALUES (:id, :content)", contents);
        return made;
    }

    private record Content(long id, byte[] content) {}

    private record NewRow(
            Digest digest, long size, @Nullable ObjectId object) {}

    private static NewRow row(StagedBlob blob) {
        return switch (blob) {
            case StagedBlob.Stored stored -> new NewRow(blob.digest(), blob.size(), stored.object());
            case StagedBlob.Inline inline -> new NewRow(blob.digest(), blob.size(), null);
        };
    }

    public static void setContent(Tx tx, long blobId, byte[] content) {
        tx.change("""
                        INSERT INTO blob_content (blob_id, content) VALUES (:blob, :content)
                        ON CONFLICT (blob_id) DO UPDATE SET content = excluded.content
                        """, "blob", blobId, "content", content);
    }

    public static Optional<byte[]> content(Tx tx, long blobId) {
        return tx.find("SELECT content FROM blob_content WHERE blob_id = :blob", byte[].class, "blob", blobId);
    }

    /// Returns the content of blobs that is stored in rows.
    static Map<Digest, byte[]> contents(Tx tx, Collection<Digest> digests) {
        return tx.map("""
                SELECT b.digest, c.content FROM blob b JOIN blob_content c ON c.blob_id = b.id
                WHERE b.digest IN (<digests>)
                """, Digest.class, byte[].class, "digests", digests);
    }

    /// Gives a damaged blob new bytes and trusts it again. Returns false if another transaction was faster.
    static boolean replace(Tx tx, long blobId, @Nullable ObjectId object) {
        return tx.change("""
                                UPDATE blob SET object_id = :object, state = 'ok', checked_at = :now
                                WHERE id = :blob AND state = 'suspect'
                                """, "object", object, "blob", blobId) == 1;
    }

    /// Marks the versions with this blob whose files could not be read as not read yet.
    static void readAgain(Tx tx, long blobId) {
        tx.later("""
                UPDATE version SET risk_rules = '' WHERE findings IS NULL AND risk_rules <> '' AND manifest_id IN (
                    SELECT c.manifest_id FROM manifest_blob c WHERE c.blob_id = :blob)
                """, "blob", blobId);
    }

    /// Marks a blob as damaged unless its bytes were replaced meanwhile. Returns whether that changed anything.
    static boolean suspect(Tx tx, BlobRecord blob) {
        return setState(tx, blob, "ok", "suspect");
    }

    /// Trusts an undamaged blob again unless its bytes were replaced meanwhile. Returns whether that changed
    /// anything.
    static boolean trust(Tx tx, BlobRecord blob) {
        return setState(tx, blob, "suspect", "ok");
    }

    private static boolean setState(Tx tx, BlobRecord blob, String from, String to) {
        return tx.change("""
                                UPDATE blob SET state = :to
                                WHERE id = :id AND state = :from AND COALESCE(object_id, '') = COALESCE(:object, '')
                                """, blob, "to", to, "from", from) == 1;
    }

    /// Links the blobs to the repository, in this order, with leases. Blobs that are new to it count for its
    /// organization's quota.
    public static void link(Tx tx, long repositoryId, Collection<BlobRecord> blobs, Instant until) {
        if (tx.dialect() == SqlDialect.POSTGRES) {
            linkSoon(tx, repositoryId, blobs, until);
            return;
        }
        var left = List.copyOf(blobs);
        for (int i = 0; i < ATTEMPTS && !left.isEmpty(); i++) {
            left = lease(tx, repositoryId, insertLinks(tx, repositoryId, left, until), until);
        }
        if (!left.isEmpty()) {
            throw new Problem.Unavailable("some of the blobs are being deleted by other requests; try again", 1)
                    .raise();
        }
    }

    /// Inserts or leases in one statement. PostgreSQL leaves `xmax` at 0 in a row that is new.
    private static void linkSoon(Tx tx, long repositoryId, Collection<BlobRecord> blobs, Instant until) {
        var sizes = blobs.stream().collect(Collectors.toMap(BlobRecord::id, BlobRecord::size));
        record Made(long id, boolean isNew) {}
        tx.soonEach("""
                        INSERT INTO link (repository_id, blob_id, leased_until, look_at)
                        VALUES (:repository, :id, :until, :until)
                        ON CONFLICT (repository_id, blob_id) DO UPDATE SET leased_until =
                            CASE WHEN link.leased_until < excluded.leased_until THEN excluded.leased_until
                                 ELSE link.leased_until END
                        RETURNING blob_id AS id, xmax = 0 AS is_new
                        """, Made.class, blobs, "repository", repositoryId, "until", until)
                .then(links -> {
                    long bytes = links.stream()
                            .filter(Made::isNew)
                            .mapToLong(made -> Objects.requireNonNull(sizes.get(made.id())))
                            .sum();
                    UsageChanges.add(tx, repositoryId, UsageAmounts.ofBytes(bytes));
                });
    }

    /// Returns the blobs that were already linked.
    private static List<BlobRecord> insertLinks(Tx tx, long repositoryId, List<BlobRecord> blobs, Instant until) {
        var held = new ArrayList<BlobRecord>();
        long bytes = 0;
        int[] inserted = tx.each("""
                        INSERT INTO link (repository_id, blob_id, leased_until, look_at)
                        VALUES (:repository, :id, :until, :until)
                        ON CONFLICT (repository_id, blob_id) DO NOTHING
                        """, blobs, "repository", repositoryId, "until", until);
        for (int i = 0; i < inserted.length; i++) {
            var blob = blobs.get(i);
            if (inserted[i] == 0) {
                held.add(blob);
            } else {
                bytes += blob.size();
            }
        }
        UsageChanges.add(tx, repositoryId, UsageAmounts.ofBytes(bytes));
        return held;
    }

    /// Returns the blobs whose link was deleted meanwhile.
    private static List<BlobRecord> lease(Tx tx, long repositoryId, List<BlobRecord> blobs, Instant until) {
        var gone = new ArrayList<BlobRecord>();
        int[] leased = tx.each("""
                        UPDATE link SET leased_until = CASE WHEN leased_until < :until THEN :until ELSE leased_until END
                        WHERE repository_id = :repository AND blob_id = :id
                        """, blobs, "repository", repositoryId, "until", until);
        for (int i = 0; i < leased.length; i++) {
            if (leased[i] == 0) {
                gone.add(blobs.get(i));
            }
        }
        return gone;
    }

    /// Returns how long the repository's link is leased, at least until `soon`. Empty if there is no link.
    public static Optional<Instant> renew(Tx tx, long repositoryId, long blobId, Instant soon, Instant until) {
        tx.change("""
                        UPDATE link SET leased_until = :until
                        WHERE repository_id = :repository AND blob_id = :blob AND leased_until < :soon
                        """, "until", until, "repository", repositoryId, "blob", blobId, "soon", soon);
        return leasedUntil(tx, repositoryId, blobId);
    }

    public static Optional<Instant> leasedUntil(Tx tx, long repositoryId, long blobId) {
        return tx.find(
                "SELECT leased_until FROM link WHERE repository_id = :repository AND blob_id = :blob",
                Instant.class,
                "repository",
                repositoryId,
                "blob",
                blobId);
    }

    /// Returns the blob that the repository is linked to, damaged or not, and locks its row: nobody can change
    /// it or link to it until the transaction ends.
    static Optional<BlobRecord> lock(Tx tx, long repositoryId, Digest digest) {
        var blob = tx.find(
                "SELECT " + COLUMNS_FROM + " WHERE b.digest = :digest"
                        + tx.dialect().forDelete(),
                BlobRecord.class,
                "digest",
                digest);
        return blob.filter(found -> leasedUntil(tx, repositoryId, found.id()).isPresent());
    }

    /// Makes the collector look at a link soon.
    static void lookAt(Tx tx, long repositoryId, Digest digest) {
        tx.change("""
                        UPDATE link SET look_at = :now WHERE look_at > :now AND repository_id = :repository
                        AND blob_id = (SELECT id FROM blob WHERE digest = :digest)
                        """, "repository", repositoryId, "digest", digest);
    }

    public static void unlink(Tx tx, long repositoryId, long blobId) {
        tx.find("""
                        DELETE FROM link WHERE repository_id = :repository AND blob_id = :blob
                        RETURNING (SELECT b.size FROM blob b WHERE b.id = link.blob_id) AS size
                        """, Long.class, "repository", repositoryId, "blob", blobId)
                .ifPresent(size -> UsageChanges.add(tx, repositoryId, UsageAmounts.ofBytes(-size)));
    }

    /// Deletes a locked blob's row if no repository is linked to it. Returns whether it did.
    public static boolean deleteUnlinked(Tx tx, long blobId) {
        return tx.change("""
                                DELETE FROM blob WHERE id = :blob
                                AND NOT EXISTS (SELECT 1 FROM link WHERE blob_id = :blob)
                                """, "blob", blobId) == 1;
    }
}
