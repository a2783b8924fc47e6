package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.blob.ObjectId;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.org.quota.Amounts;
import dev.sheaf.server.org.quota.Usage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

public final class BlobRows {
    /// A blob's row, whoever holds it.
    public record Row(BlobRecord blob, boolean isSuspect) {}

    private static final int ATTEMPTS = 10;

    private BlobRows() {}

    /// The rows of those digests that have one, kept from being deleted until the transaction ends.
    public static List<Row> hold(Tx tx, Collection<String> digests) {
        return tx.list(
                """
                        SELECT id, digest, size, object_id, state FROM blob WHERE digest IN (<digests>) ORDER BY digest
                        """ + tx.dialect().keyShare(),
                row -> new Row(read(row), row.getString("state").equals("suspect")),
                "digests",
                digests);
    }

    /// The blob, where the repository holds it whole.
    static Optional<BlobRecord> find(Tx tx, long repositoryId, Digest digest) {
        return tx.find("""
                        SELECT b.id, b.digest, b.size, b.object_id
                        FROM blob b JOIN link l ON l.blob_id = b.id
                        WHERE b.digest = :digest AND l.repository_id = :repository AND b.state = 'ok'
                        """, BlobRows::read, "digest", digest, "repository", repositoryId);
    }

    /// A blob that a repository holds.
    record Linked(BlobRecord blob, Instant leasedUntil) {}

    /// Those of the digests that the repository holds whole, their links kept from being swept until the
    /// transaction ends.
    static List<Linked> holdLinks(Tx tx, long repositoryId, Collection<Digest> digests) {
        return tx.list(
                """
                        SELECT b.id, b.digest, b.size, b.object_id, l.leased_until
                        FROM blob b JOIN link l ON l.blob_id = b.id
                        WHERE b.digest IN (<digests>) AND l.repository_id = :repository AND b.state = 'ok'
                        ORDER BY b.id
                        """ + tx.dialect().keyShare(),
                row -> new Linked(read(row), Columns.instant(row, "leased_until")),
                "digests",
                digests,
                "repository",
                repositoryId);
    }

    /// The object that holds a digest's bytes.
    static Optional<ObjectId> object(Tx tx, Digest digest) {
        return tx.find(
                "SELECT object_id FROM blob WHERE digest = :digest AND object_id IS NOT NULL",
                row -> ObjectId.parse(row.getString("object_id")),
                "digest",
                digest);
    }

    /// Those of these parts of object names ([ObjectId#part]) that a blob's row names.
    public static List<String> named(Tx tx, Collection<String> parts) {
        return tx.list("""
                        SELECT substr(object_id, length(object_id) - 31) AS part FROM blob
                        WHERE object_id IS NOT NULL AND substr(object_id, length(object_id) - 31) IN (<parts>)
                        """, String.class, "parts", parts);
    }

    /// Makes rows for blobs, in this order, passing over digests that have a row by now.
    public static void insert(Tx tx, List<StagedBlob> blobs) {
        var batch = tx.handle().prepareBatch("""
                INSERT INTO blob (digest, size, object_id, state, created_at, checked_at)
                VALUES (:digest, :size, :object, 'ok', :now, :now)
                ON CONFLICT (digest) DO NOTHING
                """);
        blobs.forEach(blob -> batch.bind("digest", blob.digest())
                .bind("size", blob.size())
                .bind("object", blob instanceof StagedBlob.Stored stored ? text(stored.object()) : null)
                .bind("now", tx.now())
                .add());
        batch.execute();
        insertContents(tx, blobs);
    }

    /// The bytes of small blobs. Where another transaction made the row, it made the same bytes.
    private static void insertContents(Tx tx, List<StagedBlob> blobs) {
        var batch = tx.handle().prepareBatch("""
                INSERT INTO blob_content (blob_id, content) SELECT id, :content FROM blob WHERE digest = :digest
                ON CONFLICT (blob_id) DO NOTHING
                """);
        for (StagedBlob blob : blobs) {
            if (blob instanceof StagedBlob.Inline inline) {
                batch.bind("digest", blob.digest())
                        .bind("content", inline.bytes())
                        .add();
            }
        }
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    public static void setContent(Tx tx, long blobId, byte[] content) {
        tx.change("""
                        INSERT INTO blob_content (blob_id, content) VALUES (:blob, :content)
                        ON CONFLICT (blob_id) DO UPDATE SET content = excluded.content
                        """, "blob", blobId, "content", content);
    }

    public static Optional<byte[]> content(Tx tx, long blobId) {
        return tx.find(
                "SELECT content FROM blob_content WHERE blob_id = :blob",
                row -> row.getBytes("content"),
                "blob",
                blobId);
    }

    /// Gives a damaged blob new bytes and trusts them; false where another transaction was faster.
    static boolean replace(Tx tx, long blobId, @Nullable ObjectId object) {
        return tx.change("""
                                UPDATE blob SET object_id = :object, state = 'ok', checked_at = :now
                                WHERE id = :blob AND state = 'suspect'
                                """, "object", text(object), "now", tx.now(), "blob", blobId) == 1;
    }

    /// Stops trusting a blob, unless it has other bytes by now; true where that changed something.
    static boolean suspect(Tx tx, BlobRecord blob) {
        return setState(tx, blob, "ok", "suspect");
    }

    /// Trusts a blob again whose bytes turned out to be whole, unless it has others by now; true where that changed
    /// something.
    static boolean trust(Tx tx, BlobRecord blob) {
        return setState(tx, blob, "suspect", "ok");
    }

    private static boolean setState(Tx tx, BlobRecord blob, String from, String to) {
        return tx.change(
                        """
                                UPDATE blob SET state = :to
                                WHERE id = :blob AND state = :from AND COALESCE(object_id, '') = :object
                                """,
                        "to",
                        to,
                        "blob",
                        blob.id(),
                        "from",
                        from,
                        "object",
                        blob.object() == null ? "" : text(blob.object()))
                == 1;
    }

    /// Makes the repository hold the blobs, in this order, leased; those that it did not hold count for its
    /// organization.
    public static void link(Tx tx, long repositoryId, Collection<BlobRecord> blobs, Instant until) {
        var left = List.copyOf(blobs);
        for (int i = 0; i < ATTEMPTS && !left.isEmpty(); i++) {
            left = lease(tx, repositoryId, insertLinks(tx, repositoryId, left, until), until);
        }
        if (!left.isEmpty()) {
            throw new Problem.Unavailable("some of the blobs come and go", 1).raise();
        }
    }

    /// Those of the blobs whose link was there already.
    private static List<BlobRecord> insertLinks(Tx tx, long repositoryId, List<BlobRecord> blobs, Instant until) {
        var held = new ArrayList<BlobRecord>();
        long bytes = 0;
        int[] inserted = eachLink(tx, repositoryId, blobs, until, """
                INSERT INTO link (repository_id, blob_id, leased_until, look_at)
                VALUES (:repository, :blob, :until, :until)
                ON CONFLICT (repository_id, blob_id) DO NOTHING
                """);
        for (int i = 0; i < inserted.length; i++) {
            var blob = blobs.get(i);
            if (inserted[i] == 0) {
                held.add(blob);
            } else {
                bytes += blob.size();
            }
        }
        Usage.add(tx, repositoryId, Amounts.ofBytes(bytes));
        return held;
    }

    /// Those of the blobs whose link has gone meanwhile.
    private static List<BlobRecord> lease(Tx tx, long repositoryId, List<BlobRecord> blobs, Instant until) {
        var gone = new ArrayList<BlobRecord>();
        if (!blobs.isEmpty()) {
            int[] leased = eachLink(tx, repositoryId, blobs, until, """
                    UPDATE link SET leased_until = CASE WHEN leased_until < :until THEN :until ELSE leased_until END
                    WHERE repository_id = :repository AND blob_id = :blob
                    """);
            for (int i = 0; i < leased.length; i++) {
                if (leased[i] == 0) {
                    gone.add(blobs.get(i));
                }
            }
        }
        return gone;
    }

    private static int[] eachLink(Tx tx, long repositoryId, List<BlobRecord> blobs, Instant until, String sql) {
        var batch = tx.handle().prepareBatch(sql);
        blobs.forEach(blob -> batch.bind("repository", repositoryId)
                .bind("blob", blob.id())
                .bind("until", until)
                .add());
        return batch.execute();
    }

    /// How long the repository's link is leased, at least until `soon`; empty where there is none.
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
                row -> Instant.ofEpochMilli(row.getLong("leased_until")),
                "repository",
                repositoryId,
                "blob",
                blobId);
    }

    /// The blob that the repository is linked to, damaged or not; nothing else can be done with the blob's row, nor
    /// be linked to it, until the transaction ends.
    static Optional<BlobRecord> lock(Tx tx, long repositoryId, Digest digest) {
        var blob = tx.find(
                "SELECT id, digest, size, object_id FROM blob WHERE digest = :digest"
                        + tx.dialect().forDelete(),
                BlobRows::read,
                "digest",
                digest);
        return blob.filter(found -> isLinked(tx, repositoryId, found.id()));
    }

    private static boolean isLinked(Tx tx, long repositoryId, long blobId) {
        return (int) tx.number(
                        "SELECT count(*) FROM link WHERE repository_id = :repository AND blob_id = :blob",
                        "repository",
                        repositoryId,
                        "blob",
                        blobId)
                == 1;
    }

    /// Brings forward when the collector looks at a link.
    static void lookAt(Tx tx, long repositoryId, Digest digest) {
        tx.change("""
                        UPDATE link SET look_at = :now WHERE look_at > :now AND repository_id = :repository
                        AND blob_id = (SELECT id FROM blob WHERE digest = :digest)
                        """, "now", tx.now(), "repository", repositoryId, "digest", digest);
    }

    static boolean isWorkingAsset(Tx tx, long repositoryId, long blobId) {
        return (int) tx.number("""
                                SELECT count(*) FROM working_asset WHERE repository_id = :repository AND blob_id = :blob
                                """, "repository", repositoryId, "blob", blobId) > 0;
    }

    public static void unlink(Tx tx, long repositoryId, long blobId) {
        tx.find("""
                        DELETE FROM link WHERE repository_id = :repository AND blob_id = :blob
                        RETURNING (SELECT b.size FROM blob b WHERE b.id = link.blob_id) AS size
                        """, Long.class, "repository", repositoryId, "blob", blobId)
                .ifPresent(size -> Usage.add(tx, repositoryId, Amounts.ofBytes(-size)));
    }

    /// Deletes a locked blob's row where no repository is linked to it; true where that is so.
    public static boolean deleteUnlinked(Tx tx, long blobId) {
        return tx.change("""
                                DELETE FROM blob WHERE id = :blob
                                AND NOT EXISTS (SELECT 1 FROM link WHERE blob_id = :blob)
                                """, "blob", blobId) == 1;
    }

    public static BlobRecord read(ResultSet row) throws SQLException {
        String object = row.getString("object_id");
        return new BlobRecord(
                row.getLong("id"),
                Digest.parse(row.getString("digest")),
                row.getLong("size"),
                object == null ? null : ObjectId.parse(object));
    }

    private static @Nullable String text(@Nullable ObjectId object) {
        return object == null ? null : object.toString();
    }
}
