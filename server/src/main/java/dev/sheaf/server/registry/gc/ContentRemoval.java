package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.DeletionRows;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.ManifestRows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes content from a repository that the caller has locked, with everything that nothing else needs. It
/// ignores leases: a client that is uploading the same blob learns that it is missing and uploads it again.
/// Thread-safe.
public final class ContentRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(ContentRemoval.class);
    private static final int BATCH = 500;
    private static final int MANIFESTS = 50;

    private final BlobStore store;
    private final RetentionPolicy keeping;

    public ContentRemoval(BlobStore store, RetentionPolicy keeping) {
        this.store = store;
        this.keeping = keeping;
    }

    /// What happened to blobs.
    ///
    /// @param gone no longer in the repository
    /// @param kept still needed by a manifest or a working asset of the repository
    /// @param objects queued for deletion because no repository needs them; with a purge, all copies
    public record Outcome(List<BlobRecord> gone, List<BlobRecord> kept, List<ObjectId> objects) {
        public Outcome {
            gone = List.copyOf(gone);
            kept = List.copyOf(kept);
            objects = List.copyOf(objects);
        }
    }

    /// Deletes a manifest that no version and no tag needs. The manifests that it lists and the manifests that
    /// refer to it are deleted too, unless something else needs them.
    ///
    /// @return the ids of the blobs that they referred to, for [#blobs]
    /// @throws ProblemException conflict if an index lists the manifest
    public Set<Long> manifest(Tx tx, Repository repository, ManifestRecord manifest) {
        ManifestRows.listing(tx, manifest.id()).ifPresent(index -> {
            throw new Problem.Conflict("the manifest " + manifest.digest() + " is listed by the index " + index
                            + "; delete the index first")
                    .raise();
        });
        if (!RemovalRows.isFree(tx, manifest.id())) {
            throw new IllegalStateException("a version or a tag needs the manifest " + manifest.digest());
        }
        var blobs = new TreeSet<Long>();
        var waiting = new ArrayDeque<RemovalRows.Ref>();
        waiting.add(new RemovalRows.Ref(manifest.id(), manifest.digest()));
        while (!waiting.isEmpty()) {
            var next = waiting.remove();
            if (RemovalRows.isFree(tx, next.id())) {
                waiting.addAll(RemovalRows.children(tx, next.id()));
                blobs.addAll(RemovalRows.blobs(tx, next.id()));
                ManifestRows.delete(tx, next.id());
                waiting.addAll(RemovalRows.referrers(tx, repository.id(), next.digest()));
            }
        }
        Repositories.announce(tx, repository.name());
        return blobs;
    }

    /// Returns the blobs that no manifest of the repository refers to.
    public Set<Long> unreferred(Tx tx, Repository repository, Set<Long> ids) {
        var free = new TreeSet<>(ids);
        for (var some : batches(ids)) {
            free.removeAll(RemovalRows.referred(tx, repository.id(), some));
        }
        return free;
    }

    /// Removes blobs from the repository, except those that something in it needs.
    ///
    /// @param atOnce whether the bytes are removed even while they are being read
    public Outcome blobs(Tx tx, Repository repository, Collection<Long> ids, boolean atOnce) {
        var gone = new ArrayList<BlobRecord>();
        var kept = new ArrayList<BlobRecord>();
        var objects = new ArrayList<ObjectId>();
        for (var some : batches(ids)) {
            var locked = RemovalRows.lock(tx, some);
            var unlinked = RemovalRows.unneeded(tx, repository.id(), some);
            unlinked.forEach(blob -> BlobRows.unlink(tx, repository.id(), blob));
            for (var blob : locked) {
                (unlinked.contains(blob.id()) ? gone : kept).add(blob);
                if (unlinked.contains(blob.id())) {
                    if (BlobRows.deleteUnlinked(tx, blob.id())) {
                        queue(tx, repository, blob, atOnce, objects);
                    }
                }
            }
        }
        Repositories.announce(tx, repository.name());
        return new Outcome(gone, kept, objects);
    }

    private void queue(Tx tx, Repository repository, BlobRecord blob, boolean atOnce, List<ObjectId> objects) {
        var object = blob.object();
        if (object != null) {
            DeletionRows.seen(
                    tx,
                    blob,
                    atOnce ? tx.now() : keeping.bytesUntil(tx),
                    repository.id(),
                    atOnce ? "purged" : "deleted from the last repository that held it");
            // a purge also takes copies by other uploads, which were queued earlier
            objects.addAll(atOnce ? DeletionRows.copies(tx, object) : List.of(object));
        }
    }

    private static List<List<Long>> batches(Collection<Long> ids) {
        var all = List.copyOf(ids);
        var batches = new ArrayList<List<Long>>();
        for (int i = 0; i < all.size(); i += BATCH) {
            batches.add(all.subList(i, Math.min(i + BATCH, all.size())));
        }
        return batches;
    }

    /// Returns up to ten things of the repository's organization that need a blob: repositories and manifests
    /// in them.
    public List<String> holders(Tx tx, Repository repository, BlobRecord blob) {
        return RemovalRows.holders(tx, repository, blob.id());
    }

    /// Removes the bytes of objects that a committed transaction queued without delay. Objects that cannot be
    /// removed now stay in the queue.
    ///
    /// @return the digests of the objects that stay
    public Set<Digest> erase(Collection<ObjectId> objects) {
        var pending = new HashSet<Digest>();
        for (var object : objects) {
            try {
                store.delete(object);
            } catch (RuntimeException e) {
                LOG.error("cannot remove the purged object {} now; will retry", object, e);
                pending.add(object.digest());
            }
        }
        return pending;
    }

    /// Empties a repository without versions and working assets, one step at a time.
    ///
    /// @return whether there may be more
    public boolean clear(Tx tx, Repository repository) {
        RemovalRows.clearTags(tx, repository.id());
        var manifests = RemovalRows.manifests(tx, repository.id(), MANIFESTS);
        if (!manifests.isEmpty()) {
            manifests.forEach(manifest -> ManifestRows.delete(tx, manifest));
            return true;
        }
        var links = RemovalRows.links(tx, repository.id(), BATCH);
        if (!links.isEmpty()) {
            blobs(tx, repository, links, false);
        }
        return !links.isEmpty();
    }
}
