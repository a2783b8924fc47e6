package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import dev.sheaf.server.blob.ObjectId;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class BlobRows {
    /// A blob's row, whoever holds it.
    record Row(BlobRecord blob, boolean isSuspect) {}

    private BlobRows() {}

    /// The rows of those digests that have one, kept from being deleted until the transaction ends.
    static List<Row> hold(Tx tx, Collection<String> digests) {
        return tx.handle()
                .createQuery("""
                        SELECT id, digest, size, object_id, state FROM blob WHERE digest IN (<digests>) ORDER BY digest
                        """ + tx.dialect().keyShare())
                .bindList("digests", List.copyOf(digests))
                .map((row, context) -> new Row(read(row), row.getString("state").equals("suspect")))
                .list();
    }

    /// The blob, where the repository holds it whole.
    static Optional<BlobRecord> find(Tx tx, long repositoryId, Digest digest) {
        return tx.handle()
                .createQuery("""
                        SELECT b.id, b.digest, b.size, b.object_id
                        FROM blob b JOIN link l ON l.blob_id = b.id
                        WHERE b.digest = :digest AND l.repository_id = :repository AND b.state = 'ok'
                        """)
                .bind("digest", digest)
                .bind("repository", repositoryId)
                .map((row, context) -> read(row))
                .findOne();
    }

    /// Those of the digests that the repository holds whole, their links kept from being swept until the
    /// transaction ends.
    static List<BlobRecord> holdLinks(Tx tx, long repositoryId, Collection<Digest> digests) {
        return tx.handle()
                .createQuery("""
                        SELECT b.id, b.digest, b.size, b.object_id
                        FROM blob b JOIN link l ON l.blob_id = b.id
                        WHERE b.digest IN (<digests>) AND l.repository_id = :repository AND b.state = 'ok'
                        ORDER BY b.id
                        """ + tx.dialect().keyShare())
                .bindList("digests", List.copyOf(digests))
                .bind("repository", repositoryId)
                .map((row, context) -> read(row))
                .list();
    }

    /// The object that holds a digest's bytes.
    static Optional<ObjectId> object(Tx tx, Digest digest) {
        return tx.handle()
                .createQuery("SELECT object_id FROM blob WHERE digest = :digest AND object_id IS NOT NULL")
                .bind("digest", digest)
                .map((row, context) -> ObjectId.parse(row.getString("object_id")))
                .findOne();
    }

    /// Makes rows for blobs, in this order, passing over digests that have a row by now.
    static void insert(Tx tx, List<StagedBlob> blobs) {
        var batch = tx.handle().prepareBatch("""
                INSERT INTO blob (digest, size, object_id, state, created_at)
                VALUES (:digest, :size, :object, 'ok', :now)
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

    static void setContent(Tx tx, long blobId, byte[] content) {
        tx.handle()
                .createUpdate("""
                        INSERT INTO blob_content (blob_id, content) VALUES (:blob, :content)
                        ON CONFLICT (blob_id) DO UPDATE SET content = excluded.content
                        """)
                .bind("blob", blobId)
                .bind("content", content)
                .execute();
    }

    static Optional<byte[]> content(Tx tx, long blobId) {
        return tx.handle()
                .createQuery("SELECT content FROM blob_content WHERE blob_id = :blob")
                .bind("blob", blobId)
                .map((row, context) -> row.getBytes("content"))
                .findOne();
    }

    /// Gives a blob new bytes and trusts them.
    static void replace(Tx tx, long blobId, @Nullable ObjectId object) {
        tx.handle()
                .createUpdate("UPDATE blob SET object_id = :object, state = 'ok' WHERE id = :blob")
                .bind("object", text(object))
                .bind("blob", blobId)
                .execute();
    }

    /// Stops trusting a blob, unless it has other bytes by now; true where that changed something.
    static boolean suspect(Tx tx, long blobId, ObjectId object) {
        return tx.handle()
                        .createUpdate("""
                                UPDATE blob SET state = 'suspect'
                                WHERE id = :blob AND object_id = :object AND state = 'ok'
                                """)
                        .bind("blob", blobId)
                        .bind("object", text(object))
                        .execute()
                == 1;
    }

    static void link(Tx tx, long repositoryId, Collection<Long> blobIds) {
        var batch = tx.handle().prepareBatch("""
                INSERT INTO link (repository_id, blob_id, leased_until) VALUES (:repository, :blob, :until)
                ON CONFLICT (repository_id, blob_id) DO UPDATE SET leased_until = excluded.leased_until
                WHERE link.leased_until < excluded.leased_until
                """);
        blobIds.forEach(blob -> batch.bind("repository", repositoryId)
                .bind("blob", blob)
                .bind("until", Lease.until(tx))
                .add());
        batch.execute();
    }

    /// How long the repository's link is leased, at least until `soon`; empty where there is none.
    static Optional<Instant> renew(Tx tx, long repositoryId, long blobId, Instant soon) {
        tx.handle()
                .createUpdate("""
                        UPDATE link SET leased_until = :until
                        WHERE repository_id = :repository AND blob_id = :blob AND leased_until < :soon
                        """)
                .bind("until", Lease.until(tx))
                .bind("repository", repositoryId)
                .bind("blob", blobId)
                .bind("soon", soon)
                .execute();
        return leasedUntil(tx, repositoryId, blobId);
    }

    static Optional<Instant> leasedUntil(Tx tx, long repositoryId, long blobId) {
        return tx.handle()
                .createQuery("SELECT leased_until FROM link WHERE repository_id = :repository AND blob_id = :blob")
                .bind("repository", repositoryId)
                .bind("blob", blobId)
                .map((row, context) -> Instant.ofEpochMilli(row.getLong("leased_until")))
                .findOne();
    }

    /// The blob that the repository is linked to, damaged or not; nothing else can be done with the blob's row, nor
    /// be linked to it, until the transaction ends.
    static Optional<BlobRecord> lock(Tx tx, long repositoryId, Digest digest) {
        var blob = tx.handle()
                .createQuery("SELECT id, digest, size, object_id FROM blob WHERE digest = :digest"
                        + tx.dialect().forDelete())
                .bind("digest", digest)
                .map((row, context) -> read(row))
                .findOne();
        return blob.filter(found -> isLinked(tx, repositoryId, found.id()));
    }

    private static boolean isLinked(Tx tx, long repositoryId, long blobId) {
        return tx.handle()
                        .createQuery("SELECT count(*) FROM link WHERE repository_id = :repository AND blob_id = :blob")
                        .bind("repository", repositoryId)
                        .bind("blob", blobId)
                        .mapTo(Integer.class)
                        .one()
                == 1;
    }

    static boolean isWorkingAsset(Tx tx, long repositoryId, long blobId) {
        return tx.handle()
                        .createQuery("""
                                SELECT count(*) FROM working_asset WHERE repository_id = :repository AND blob_id = :blob
                                """)
                        .bind("repository", repositoryId)
                        .bind("blob", blobId)
                        .mapTo(Integer.class)
                        .one()
                > 0;
    }

    static void unlink(Tx tx, long repositoryId, long blobId) {
        tx.handle()
                .createUpdate("DELETE FROM link WHERE repository_id = :repository AND blob_id = :blob")
                .bind("repository", repositoryId)
                .bind("blob", blobId)
                .execute();
    }

    /// Deletes a locked blob's row where no repository is linked to it; true where that is so.
    static boolean deleteUnlinked(Tx tx, long blobId) {
        return tx.handle().createUpdate("""
                                DELETE FROM blob WHERE id = :blob
                                AND NOT EXISTS (SELECT 1 FROM link WHERE blob_id = :blob)
                                """).bind("blob", blobId).execute() == 1;
    }

    private static BlobRecord read(ResultSet row) throws SQLException {
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
