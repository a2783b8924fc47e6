package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RepositoryRows;
import dev.sheaf.server.registry.RetentionPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// Links staged blobs to a repository.
final class BlobLinks {
    private static final int ATTEMPTS = 10;

    private final RetentionPolicy keeping;

    BlobLinks(RetentionPolicy keeping) {
        this.keeping = keeping;
    }

    /// Creates or repairs the rows of the blobs and links them to the repository.
    Rows make(Tx tx, Repository repository, Collection<StagedBlob> staged) {
        if (!RepositoryRows.hold(tx, repository.id())) {
            throw new Problem.BundleNotFound(repository.name(), "").raise();
        }
        return make(tx, repository, HeldBlobs.of(tx, staged));
    }

    /// Does the same in a repository that the transaction has locked.
    Rows make(Tx tx, Repository repository, HeldBlobs held) {
        var rows = present(tx, held);
        var settled = new HashSet<Digest>();
        for (StagedBlob blob : held.staged()) {
            if (settled.add(blob.digest())) {
                settle(tx, rows.get(blob.digest()), blob);
            } else if (blob instanceof StagedBlob.Stored twice) {
                DeletionRows.unseen(tx, twice, "the same content was sent twice in one push");
            }
        }
        BlobRows.link(tx, repository.id(), rows.sorted(), keeping.leaseEnd(tx));
        AbsentRows.fillBlobs(tx, repository.id(), rows.ids());
        return rows;
    }

    /// Returns the rows of staged blobs and creates missing ones.
    private static Rows present(Tx tx, HeldBlobs held) {
        var byDigest = HeldBlobs.byDigest(held.staged());
        var found = new ArrayList<BlobRows.Row>();
        for (int i = 0; i < ATTEMPTS; i++) {
            found.addAll(i == 0 ? held.rows().get() : BlobRows.hold(tx, byDigest.keySet()));
            found.forEach(row -> byDigest.remove(row.blob().digest().toString()));
            if (!byDigest.isEmpty()) {
                found.addAll(BlobRows.insert(tx, List.copyOf(byDigest.values())));
                found.forEach(row -> byDigest.remove(row.blob().digest().toString()));
            }
            if (byDigest.isEmpty()) {
                return new Rows(found);
            }
        }
        throw new Problem.Unavailable("some of the blobs are being deleted by other requests; try again", 1).raise();
    }

    /// Rows of blobs, by digest.
    record Rows(Map<Digest, BlobRows.Row> byDigest) {
        Rows(List<BlobRows.Row> rows) {
            this(rows.stream().collect(Collectors.toMap(row -> row.blob().digest(), row -> row)));
        }

        BlobRows.Row get(Digest digest) {
            return Objects.requireNonNull(byDigest.get(digest));
        }

        List<Long> ids() {
            return sorted().stream().map(BlobRecord::id).toList();
        }

        List<BlobRecord> sorted() {
            return byDigest.values().stream()
                    .map(BlobRows.Row::blob)
                    .sorted(Comparator.comparingLong(BlobRecord::id))
                    .toList();
        }
    }

    private void settle(Tx tx, BlobRows.Row row, StagedBlob staged) {
        var blob = row.blob();
        var object = staged instanceof StagedBlob.Stored stored ? stored.object() : null;
        if (!row.isSuspect() || !BlobRows.replace(tx, blob.id(), object)) {
            if (staged instanceof StagedBlob.Stored stored && !stored.object().equals(blob.object())) {
                DeletionRows.unseen(tx, stored, "another upload of the same digest was first");
            }
            return;
        }
        DeletionRows.seen(tx, blob, keeping.bytesUntil(tx), null, "damaged, and replaced by a new upload");
        if (staged instanceof StagedBlob.Inline inline) {
            BlobRows.setContent(tx, blob.id(), inline.bytes());
        }
        DamagedContent.healed(tx, blob, "replaced by a new upload");
    }
}
