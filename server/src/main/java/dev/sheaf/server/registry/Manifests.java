package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Version;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.util.Optional;

/// Manifests, and what they refer to. Thread-safe; look-ups are cached until a change to the repository is
/// announced.
public final class Manifests {
    private static final int ATTEMPTS = 10;

    private final Database database;
    private final Held<Digest, ManifestRecord> byDigest;
    private final Held<String, ManifestRecord> byTag;
    private final ContentCache contents;

    public Manifests(Database database, Blobs.CacheSize cache) {
        this.database = database;
        this.byDigest = new Held<>(database, cache.entries());
        this.byTag = new Held<>(database, cache.entries());
        this.contents = new ContentCache(database, cache.bytes());
    }

    /// Makes the repository hold the manifest, leased for 24 hours; the same again changes nothing else.
    ///
    /// @throws dev.sheaf.model.ProblemException version-deleted where a deleted version had the digest;
    /// manifest-blob-unknown where it names a blob or manifest that the repository does not hold, manifest-invalid
    /// where it states another size of one
    public StoredManifest store(Tx tx, Repository repository, ManifestDocument document) {
        for (int i = 0; i < ATTEMPTS; i++) {
            var existing = ManifestRows.renew(tx, repository.id(), document.digest());
            if (existing.isPresent()) {
                return new StoredManifest(existing.get(), document.digest());
            }
            TombstoneRows.find(tx, repository, document.digest()).ifPresent(deleted -> {
                throw deleted.problem(repository.name(), document.digest().toString())
                        .raise();
            });
            var blobs = References.blobs(tx, repository, document);
            var children = References.children(tx, repository, document);
            var inserted = ManifestRows.insert(tx, repository.id(), document);
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

    /// What to say of a manifest that is not there: that it was deleted, where it was a version's.
    ///
    /// @param digest empty: it was asked for by a tag
    public Problem missing(Repository repository, String reference, Optional<Digest> digest) {
        return database.read(tx -> digest.map(known -> TombstoneRows.find(tx, repository, known))
                        .orElseGet(() -> Version.ofOciTag(reference)
                                .flatMap(version -> TombstoneRows.find(tx, repository, version)
                                        .filter(deleted -> deleted.version().equals(version)))))
                .map(deleted -> deleted.problem(repository.name(), reference))
                .orElseGet(() -> new Problem.ManifestUnknown(repository.name(), reference));
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
