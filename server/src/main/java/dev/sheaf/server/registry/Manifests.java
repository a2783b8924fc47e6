package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.Optional;

/// Manifests, and what they refer to. Thread-safe; look-ups are cached until a change to the repository is
/// announced.
public final class Manifests {
    private static final int ATTEMPTS = 10;

    private final Database database;
    private final Keeping keeping;
    private final Held<Digest, ManifestRecord> byDigest;
    private final Held<String, ManifestRecord> byTag;
    private final ContentCache contents;

    public Manifests(Database database, Keeping keeping, Blobs.CacheSize cache) {
        this.database = database;
        this.keeping = keeping;
        this.byDigest = new Held<>(database, cache.entries());
        this.byTag = new Held<>(database, cache.entries());
        this.contents = new ContentCache(cache.bytes());
    }

    /// Makes the repository hold the manifest, leased, and its blobs leased with it; the same again renews the
    /// manifest's lease and changes nothing else.
    ///
    /// @throws dev.sheaf.model.ProblemException manifest-blob-unknown where it names a blob or manifest that the
    /// repository does not hold, manifest-invalid where it states another size of one
    public StoredManifest store(Tx tx, Repository repository, ManifestDocument document) {
        for (int i = 0; i < ATTEMPTS; i++) {
            var existing = ManifestRows.renew(tx, repository.id(), document.digest(), keeping.leaseEnd(tx));
            if (existing.isPresent()) {
                return new StoredManifest(existing.get(), document.digest());
            }
            var blobs = References.blobs(tx, repository, document, keeping);
            var children = References.children(tx, repository, document);
            var inserted = ManifestRows.insert(tx, repository.id(), document, keeping.leaseEnd(tx));
            if (inserted.isPresent()) {
                long id = inserted.get();
                ManifestRows.insertContent(tx, id, document.bytes());
                ManifestRows.insertBlobs(tx, id, repository.id(), blobs);
                ManifestRows.insertChildren(tx, id, children);
                return new StoredManifest(id, document.digest());
            }
        }
        throw new Problem.Unavailable("the manifest " + document.digest() + " comes and goes", 1).raise();
    }

    /// Deletes a manifest that no tag points to. What it referred to stays until somebody deletes it, or it is
    /// collected.
    ///
    /// @throws dev.sheaf.model.ProblemException conflict where an index lists it
    public void delete(Tx tx, Repository repository, ManifestRecord manifest) {
        ManifestRows.listing(tx, manifest.id()).ifPresent(index -> {
            throw new Problem.Conflict("the manifest " + manifest.digest() + " is listed by the index " + index
                            + "; delete that one first")
                    .raise();
        });
        ManifestRows.delete(tx, manifest.id());
        Repositories.announce(tx, repository.name());
    }

    /// The same as [#find], kept from being deleted until the transaction ends.
    public Optional<ManifestRecord> hold(Tx tx, Repository repository, Digest digest) {
        return ManifestRows.hold(tx, repository.id(), List.of(digest)).stream().findFirst();
    }

    public Optional<ManifestRecord> find(Tx tx, Repository repository, Digest digest) {
        return ManifestRows.find(tx, repository.id(), digest);
    }

    /// The manifest that was pushed under this digest.
    public Optional<ManifestRecord> find(Repository repository, Digest digest) {
        return byDigest.get(
                repository, digest, () -> database.read(tx -> ManifestRows.find(tx, repository.id(), digest)));
    }

    /// The manifest that a tag points to.
    public Optional<ManifestRecord> find(Repository repository, String tag) {
        return byTag.get(repository, tag, () -> database.read(tx -> ManifestRows.find(tx, repository.id(), tag)));
    }

    /// The exact bytes of a manifest that [#find] found: the cache's own, do not change them.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found where it has been deleted since
    public byte[] content(ManifestRecord manifest) {
        return contents.get(
                manifest.id(),
                id -> database.read(tx -> ManifestRows.content(tx, id))
                        .orElseThrow(() -> new Problem.NotFound("the manifest " + manifest.digest()).raise()));
    }
}
