package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RetentionPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds the content that a manifest refers to in its repository, and refuses a manifest that states a wrong
/// size. The content cannot be deleted before the transaction ends.
final class ManifestReferences {
    private static final int BATCH = 500;

    private ManifestReferences() {}

    /// The content that a manifest names.
    ///
    /// @param ids the ids of existing content, sorted
    /// @param absent missing content, in the manifest's order
    /// @param elsewhere missing foreign layers
    record Named(Collection<Long> ids, Collection<Digest> absent, Collection<Digest> elsewhere) {
        static final Named NOTHING = new Named(List.of(), List.of(), List.of());
    }

    /// Returns the blobs if the transaction has linked all of them and the document lists no manifests;
    /// otherwise empty.
    static Optional<Named> among(LinkedBlobs linked, ManifestDocument document) {
        var found = new HashMap<Digest, Stored>();
        linked.blobs().forEach(blob -> found.put(blob.digest(), new Stored(blob.id(), blob.size())));
        var descriptors = descriptors(document);
        boolean areAll = document.manifests().isEmpty()
                && descriptors.stream().allMatch(descriptor -> found.containsKey(descriptor.digest()));
        return areAll ? Optional.of(check(descriptors, found)) : Optional.empty();
    }

    private static List<Descriptor> descriptors(ManifestDocument document) {
        var descriptors = new ArrayList<>(document.layers());
        document.config().ifPresent(descriptors::add);
        return descriptors;
    }

    /// Returns the blobs. The links of existing ones are leased.
    static Named blobs(Tx tx, Repository repository, ManifestDocument document, RetentionPolicy keeping) {
        var descriptors = descriptors(document);
        var found = new HashMap<Digest, Stored>();
        for (var digests : batches(descriptors)) {
            var blobs = BlobRows.holdLinks(tx, repository.id(), digests);
            blobs.forEach(held -> found.put(
                    held.blob().digest(),
                    new Stored(held.blob().id(), held.blob().size())));
            renew(tx, repository, blobs, keeping);
        }
        return check(descriptors, found);
    }

    /// Renews leases that end soon. Most links were made or renewed a moment ago.
    private static void renew(Tx tx, Repository repository, List<BlobRows.Linked> blobs, RetentionPolicy keeping) {
        var soon = keeping.soon(tx.now());
        var ending = blobs.stream()
                .filter(held -> held.leasedUntil().isBefore(soon))
                .map(BlobRows.Linked::blob)
                .toList();
        if (!ending.isEmpty()) {
            BlobRows.link(tx, repository.id(), ending, keeping.leaseEnd(tx));
        }
    }

    /// Returns the manifests that an index lists.
    ///
    /// @throws dev.sheaf.model.ProblemException conflict if one of them is recalled
    static Named children(Tx tx, Repository repository, ManifestDocument document) {
        var found = new HashMap<Digest, Stored>();
        for (var digests : batches(document.manifests())) {
            for (var child : ManifestRows.hold(tx, repository.id(), digests)) {
                if (child.isRecalled()) {
                    throw new Problem.Conflict("the manifest " + child.digest() + " is part of a version that was"
                                    + " recalled; leave it out, or end the recall first")
                            .raise();
                }
                found.put(child.digest(), new Stored(child.id(), child.size()));
            }
        }
        return check(document.manifests(), found);
    }

    private record Stored(long id, long size) {}

    private static List<List<Digest>> batches(List<Descriptor> descriptors) {
        var sorted = new TreeMap<String, Digest>();
        descriptors.forEach(descriptor -> sorted.put(descriptor.digest().toString(), descriptor.digest()));
        var digests = List.copyOf(sorted.values());
        var batches = new ArrayList<List<Digest>>();
        for (int i = 0; i < digests.size(); i += BATCH) {
            batches.add(digests.subList(i, Math.min(i + BATCH, digests.size())));
        }
        return batches;
    }

    private static Named check(List<Descriptor> descriptors, Map<Digest, Stored> found) {
        var ids = new TreeSet<Long>();
        var absent = new LinkedHashSet<Digest>();
        var elsewhere = new LinkedHashSet<Digest>();
        for (var descriptor : descriptors) {
            var target = found.get(descriptor.digest());
            if (target != null) {
                checkSize(descriptor, target.size());
                ids.add(target.id());
            } else {
                (descriptor.isForeign() ? elsewhere : absent).add(descriptor.digest());
            }
        }
        return new Named(ids, absent, elsewhere);
    }

    private static void checkSize(Descriptor descriptor, long size) {
        if (descriptor.size() != size) {
            throw new Problem.ManifestInvalid("the descriptor of " + descriptor.digest() + " says " + descriptor.size()
                            + " bytes, but the content has " + size + "; correct it")
                    .raise();
        }
    }
}
