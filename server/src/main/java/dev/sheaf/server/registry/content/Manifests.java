package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Version;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.ContentCache;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RepositoryCache;
import dev.sheaf.server.registry.RepositoryRows;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.TombstoneRows;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Manifests, and what they refer to. Thread-safe; look-ups are cached until a change to the repository is
/// announced.
public final class Manifests {
    private static final int ATTEMPTS = 10;
    private static final String UPLOAD = "upload it first";
    private static final String OR_NO_VERSION =
            ": a version has all of its layers; or push the manifest to a tag that is no version";

    private final Database database;
    private final RetentionPolicy keeping;
    private final RepositoryCache<Digest, ManifestRecord> byDigest;
    private final RepositoryCache<String, ManifestRecord> byTag;
    private final ContentCache contents;
    private final boolean sparse;
    private final Damage damage;

    /// @param sparse whether [#accept] takes manifests that name what is not there
    public Manifests(Database database, RetentionPolicy keeping, Blobs.CacheSize cache, boolean sparse) {
        this.database = database;
        this.keeping = keeping;
        this.sparse = sparse;
        this.byDigest = new RepositoryCache<>(database, cache.entries());
        this.byTag = new RepositoryCache<>(database, cache.entries());
        this.contents = new ContentCache(database, cache.bytes());
        this.damage = new Damage(database);
    }

    /// What a manifest may name that its repository does not hold.
    private enum Lacking {
        NOTHING,
        FOREIGN_LAYERS,
        ANYTHING
    }

    /// Makes the repository hold the manifest of a version that the rules of publishing let pass, leased, and its
    /// blobs leased with it; the same again renews the manifest's lease and changes nothing else, but heals one
    /// that was damaged. All that it names is there, layers that could stand elsewhere too, and has the size that
    /// it states, however it came here before.
    ///
    /// @throws dev.sheaf.model.ProblemException manifest-blob-unknown where it names a blob or manifest that the
    /// repository does not hold, manifest-invalid where it states another size of one
    public StoredManifest store(Tx tx, Repository repository, ManifestDocument document) {
        return store(tx, repository, document, Lacking.NOTHING);
    }

    /// The same for a manifest that is no version's: its foreign layers may stand elsewhere, and where the
    /// installation takes sparse manifests, it may name what the repository does not hold. As soon as that comes,
    /// the manifest refers to it like to everything else.
    ///
    /// @throws dev.sheaf.model.ProblemException version-deleted where a deleted version had the digest
    public StoredManifest accept(Tx tx, Repository repository, ManifestDocument document) {
        return store(tx, repository, document, sparse ? Lacking.ANYTHING : Lacking.FOREIGN_LAYERS);
    }

    private StoredManifest store(Tx tx, Repository repository, ManifestDocument document, Lacking lacking) {
        for (int i = 0; i < ATTEMPTS; i++) {
            var existing = ManifestRows.renew(tx, repository.id(), document.digest(), keeping.leaseEnd(tx));
            if (existing.isPresent()) {
                complete(tx, repository, document, existing.get().id(), lacking);
                if (existing.get().isSuspect()) {
                    Damage.heal(tx, existing.get().id(), document);
                }
                return new StoredManifest(existing.get().id(), document.digest());
            }
            if (lacking != Lacking.NOTHING) {
                refuseDeleted(tx, repository, document);
            }
            var blobs = References.blobs(tx, repository, document, keeping);
            var children = References.children(tx, repository, document);
            refuseAbsent(blobs, children, lacking);
            if (!blobs.absent().isEmpty() || !children.absent().isEmpty()) {
                RepositoryRows.seal(tx, repository.id()); // or what comes just now would not find who waits for it
                blobs = References.blobs(tx, repository, document, keeping);
                children = References.children(tx, repository, document);
            }
            var inserted = ManifestRows.insert(tx, repository.id(), document, keeping.leaseEnd(tx));
            if (inserted.isPresent()) {
                long id = inserted.get();
                ManifestRows.setContent(tx, id, document.bytes());
                ManifestRows.insertBlobs(tx, id, repository.id(), blobs.ids());
                ManifestRows.insertChildren(tx, id, children.ids());
                AbsentRows.insertBlobs(tx, id, repository.id(), blobs.absent());
                AbsentRows.insertChildren(tx, id, repository.id(), children.absent());
                AbsentRows.fillChild(tx, repository.id(), id, document.digest());
                if (document.subject().isPresent()) {
                    Repositories.announce(tx, repository.name()); // it may be what somebody looked for and found absent
                }
                return new StoredManifest(id, document.digest());
            }
        }
        throw new Problem.Unavailable("the manifest " + document.digest() + " comes and goes", 1).raise();
    }

    private static void refuseDeleted(Tx tx, Repository repository, ManifestDocument document) {
        TombstoneRows.find(tx, repository, document.digest()).ifPresent(deleted -> {
            throw deleted.problem(repository.name(), document.digest().toString())
                    .raise();
        });
    }

    /// Refuses what is there already and lacks what it may not lack now: what came after it was compared with
    /// nothing then. What is a version's refers to all of it from now on.
    private void complete(Tx tx, Repository repository, ManifestDocument document, long id, Lacking lacking) {
        if (lacking == Lacking.NOTHING) {
            var blobs = References.blobs(tx, repository, document, keeping);
            refuseAbsent(blobs, References.children(tx, repository, document), lacking);
            ManifestRows.insertBlobs(tx, id, repository.id(), blobs.ids());
        } else if (lacking == Lacking.FOREIGN_LAYERS) {
            refuse(AbsentRows.first(tx, id), UPLOAD);
        }
    }

    private static void refuseAbsent(References.Named blobs, References.Named children, Lacking lacking) {
        if (lacking != Lacking.ANYTHING) {
            var absent = Stream.concat(blobs.absent().stream(), children.absent().stream());
            refuse(absent.findFirst(), UPLOAD);
        }
        if (lacking == Lacking.NOTHING) {
            refuse(blobs.elsewhere().stream().findFirst(), UPLOAD + OR_NO_VERSION);
        }
    }

    private static void refuse(Optional<Digest> absent, String advice) {
        absent.ifPresent(digest -> {
            throw new Problem.ManifestBlobUnknown(digest, advice).raise();
        });
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
    /// @param digest null: it was asked for by a tag
    public Problem missing(Repository repository, String reference, @Nullable Digest digest) {
        return database.read(tx -> digest != null
                        ? TombstoneRows.find(tx, repository, digest)
                        : Version.ofOciTag(reference)
                                .flatMap(version -> TombstoneRows.find(tx, repository, version)
                                        .filter(deleted -> deleted.version().equals(version))))
                .map(deleted -> deleted.problem(repository.name(), reference))
                .orElseGet(() -> new Problem.ManifestUnknown(repository.name(), reference));
    }

    /// The same as [#find], kept from being deleted until the transaction ends.
    public Optional<ManifestRecord> hold(Tx tx, Repository repository, Digest digest) {
        return ManifestRows.hold(tx, repository.id(), List.of(digest)).stream().findFirst();
    }

    /// The manifest as it stands now, damaged or not.
    public Optional<ManifestRecord> find(Tx tx, Repository repository, Digest digest) {
        return ManifestRows.any(tx, repository.id(), digest);
    }

    /// Whether a manifest of the repository refers to a blob.
    public boolean hasBlob(Repository repository, Digest manifest, Digest blob) {
        return database.read(tx -> ManifestRows.hasBlob(tx, repository.id(), manifest, blob));
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

    /// The exact bytes of a manifest that [#find] found: the cache's own, do not change them. Empty where it has
    /// been deleted since, or is damaged: it is then not trusted until somebody pushes it again.
    public Optional<byte[]> content(ManifestRecord manifest) {
        return contents.find(manifest.id(), id -> load(manifest));
    }

    private Optional<byte[]> load(ManifestRecord manifest) {
        var content = database.read(tx -> ManifestRows.content(tx, manifest.id()))
                .filter(bytes -> Damage.has(bytes, manifest.digest()));
        if (content.isEmpty()) {
            damage.report(manifest);
        }
        return content;
    }
}
