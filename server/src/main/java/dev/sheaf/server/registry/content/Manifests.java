package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Version;
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

/// Manifests and their references. Thread-safe; look-ups are cached until a change to the repository is
/// announced. A transaction that stores a manifest has locked its repository ([Repositories#lock]).
public final class Manifests {
    private static final int ATTEMPTS = 10;
    private static final String UPLOAD = "upload it first";
    private static final String OR_NO_VERSION =
            ": a version needs all of its layers; or push the manifest to a tag that is not a version";

    private final Database database;
    private final RetentionPolicy keeping;
    private final RepositoryCache<Digest, ManifestRecord> byDigest;
    private final RepositoryCache<String, ManifestRecord> byTag;
    private final ContentCache contents;
    private final boolean sparse;
    private final DamagedContent damage;

    /// @param sparse whether [#accept] takes manifests with missing content
    public Manifests(Database database, RetentionPolicy keeping, Blobs.CacheSize cache, boolean sparse) {
        this.database = database;
        this.keeping = keeping;
        this.sparse = sparse;
        this.byDigest = new RepositoryCache<>(database, "manifests", cache.entries());
        this.byTag = new RepositoryCache<>(database, "manifest-tags", cache.entries());
        this.contents = new ContentCache(database, "manifest-content", cache.bytes());
        this.damage = new DamagedContent(database);
    }

    /// Which missing content a manifest may name.
    private enum Lacking {
        NOTHING,
        FOREIGN_LAYERS,
        ANYTHING
    }

    /// Stores the manifest of a version that passed the checks for publishing. The manifest and its blobs are
    /// leased. Storing it again only renews the lease, and repairs a damaged manifest. Everything that it names
    /// must exist with the stated size, including foreign layers.
    ///
    /// @throws dev.sheaf.model.ProblemException manifest-blob-unknown if the repository lacks a blob or
    /// manifest that it names; manifest-invalid if it states a wrong size; conflict if it is recalled
    public StoredManifest store(Tx tx, Repository repository, ManifestDocument document) {
        return store(tx, repository, document, Lacking.NOTHING);
    }

    /// Stores a manifest that is not a version's. Its foreign layers may be elsewhere. If the installation
    /// accepts sparse manifests, other content may be missing too; the manifest refers to it as soon as it
    /// arrives.
    ///
    /// @throws dev.sheaf.model.ProblemException version-deleted if a deleted version had the digest
    public StoredManifest accept(Tx tx, Repository repository, ManifestDocument document) {
        return store(tx, repository, document, sparse ? Lacking.ANYTHING : Lacking.FOREIGN_LAYERS);
    }

    /// The manifest of a new version.
    ///
    /// @param isNew false if it was stored before
    /// @param isReferred whether something may refer to it already, such as a signature
    public record New(StoredManifest manifest, boolean isNew, boolean isReferred) {}

    /// Stores the manifest of a new version as [#store] does.
    ///
    /// @param linked blobs of the repository that need not be looked up
    public New store(Tx tx, Repository repository, ManifestDocument document, LinkedBlobs linked) {
        return ManifestReferences.among(linked, document)
                .flatMap(blobs ->
                        insert(tx, repository, document, blobs, ManifestReferences.Named.NOTHING, Lacking.NOTHING))
                .map(made -> new New(new StoredManifest(made.id(), document.digest()), true, made.isReferred()))
                .orElseGet(() -> new New(store(tx, repository, document), false, true));
    }

    private StoredManifest store(Tx tx, Repository repository, ManifestDocument document, Lacking lacking) {
        for (int i = 0; i < ATTEMPTS; i++) {
            var existing = ManifestRows.renew(tx, repository.id(), document.digest(), keeping.leaseEnd(tx));
            if (existing.isPresent()) {
                refuseRecalled(repository, document, existing.get());
                complete(tx, repository, document, existing.get().id(), lacking);
                if (existing.get().isSuspect()) {
                    DamagedContent.heal(tx, existing.get().id(), document);
                }
                return new StoredManifest(existing.get().id(), document.digest());
            }
            if (lacking != Lacking.NOTHING) {
                refuseDeleted(tx, repository, document);
            }
            var blobs = ManifestReferences.blobs(tx, repository, document, keeping);
            var children = ManifestReferences.children(tx, repository, document);
            refuseAbsent(blobs, children, lacking);
            if (!blobs.absent().isEmpty() || !children.absent().isEmpty()) {
                // otherwise content that arrives now would not find the manifests that wait for it
                RepositoryRows.seal(tx, repository.id());
                blobs = ManifestReferences.blobs(tx, repository, document, keeping);
                children = ManifestReferences.children(tx, repository, document);
            }
            var inserted = insert(tx, repository, document, blobs, children, lacking);
            if (inserted.isPresent()) {
                return new StoredManifest(inserted.get().id(), document.digest());
            }
        }
        throw new Problem.Unavailable(
                        "the manifest " + document.digest() + " is being deleted by other requests; try again", 1)
                .raise();
    }

    /// Inserts a manifest with its references. Empty if it exists. Where new versions need approval it is held until
    /// a version has it, unless it is a statement about an open manifest, as a signature is.
    private Optional<ManifestRows.Inserted> insert(
            Tx tx,
            Repository repository,
            ManifestDocument document,
            ManifestReferences.Named blobs,
            ManifestReferences.Named children,
            Lacking lacking) {
        boolean isVersion = lacking == Lacking.NOTHING;
        boolean held =
                repository.isReviewed() && (isVersion || !HeldRows.isStatement(tx, repository, document, blobs.ids()));
        var inserted = ManifestRows.insert(tx, repository.id(), document, keeping.leaseEnd(tx), held);
        inserted.ifPresent(made -> {
            long id = made.id();
            ManifestRows.fill(tx, id, repository.id(), document.bytes(), blobs.ids());
            ManifestRows.insertChildren(tx, id, children.ids());
            AbsentRows.insertBlobs(tx, id, repository.id(), blobs.absent());
            AbsentRows.insertChildren(tx, id, repository.id(), children.absent());
            if (made.isAwaited()) {
                AbsentRows.fillChild(tx, repository.id(), id, document.digest());
            }
            if (document.subject().isPresent()) {
                Repositories.announce(tx, repository.name()); // a cached look-up may have found it absent
            }
        });
        return inserted;
    }

    private static void refuseRecalled(
            Repository repository, ManifestDocument document, ManifestRows.Present existing) {
        if (existing.isRecalled()) {
            throw new Problem.Conflict("this content (" + document.digest() + ") was recalled in " + repository.name()
                            + "; publish another one, or end the recall first")
                    .raise();
        }
    }

    private static void refuseDeleted(Tx tx, Repository repository, ManifestDocument document) {
        TombstoneRows.find(tx, repository, document.digest()).ifPresent(deleted -> {
            throw deleted.problem(repository.name(), document.digest().toString())
                    .raise();
        });
    }

    /// Refuses an existing manifest that lacks content it may not lack now. Content that arrived later has not
    /// been checked against it. A version's manifest refers to all of its content from now on.
    private void complete(Tx tx, Repository repository, ManifestDocument document, long id, Lacking lacking) {
        if (lacking == Lacking.NOTHING) {
            var blobs = ManifestReferences.blobs(tx, repository, document, keeping);
            refuseAbsent(blobs, ManifestReferences.children(tx, repository, document), lacking);
            ManifestRows.insertBlobs(tx, id, repository.id(), blobs.ids());
        } else if (lacking == Lacking.FOREIGN_LAYERS) {
            refuse(AbsentRows.first(tx, id), UPLOAD);
        }
    }

    private static void refuseAbsent(
            ManifestReferences.Named blobs, ManifestReferences.Named children, Lacking lacking) {
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

    /// Deletes a manifest that no tag points to. What it referred to stays until it is deleted or collected.
    ///
    /// @throws dev.sheaf.model.ProblemException conflict if an index lists it
    public void delete(Tx tx, Repository repository, ManifestRecord manifest) {
        ManifestRows.listing(tx, manifest.id()).ifPresent(index -> {
            throw new Problem.Conflict("the manifest " + manifest.digest() + " is listed by the index " + index
                            + "; delete the index first")
                    .raise();
        });
        ManifestRows.delete(tx, manifest.id());
        Repositories.announce(tx, repository.name());
    }

    /// Returns the error for a missing manifest. If it belonged to a deleted version, the error says so.
    ///
    /// @param digest null if it was requested by a tag
    public Problem missing(Repository repository, String reference, @Nullable Digest digest) {
        return database.read(tx -> digest != null
                        ? TombstoneRows.find(tx, repository, digest)
                        : Version.ofOciTag(reference)
                                .flatMap(version -> TombstoneRows.find(tx, repository, version)
                                        .filter(deleted -> deleted.version().equals(version))))
                .map(deleted -> deleted.problem(repository.name(), reference))
                .orElseGet(() -> new Problem.ManifestUnknown(repository.name(), reference));
    }

    /// Returns the manifest like [#find], and prevents its deletion until the transaction ends.
    public Optional<ManifestRecord> hold(Tx tx, Repository repository, Digest digest) {
        return ManifestRows.hold(tx, repository.id(), List.of(digest)).stream().findFirst();
    }

    /// Returns the current manifest, damaged or not.
    public Optional<ManifestRecord> find(Tx tx, Repository repository, Digest digest) {
        return ManifestRows.any(tx, repository.id(), digest);
    }

    /// Returns whether a manifest of the repository refers to a blob.
    public boolean hasBlob(Repository repository, Digest manifest, Digest blob) {
        return database.read(tx -> ManifestRows.hasBlob(tx, repository.id(), manifest, blob));
    }

    /// Returns the manifest that was pushed under this digest.
    public Optional<ManifestRecord> find(Repository repository, Digest digest) {
        return byDigest.get(
                repository, digest, () -> database.read(tx -> ManifestRows.find(tx, repository.id(), digest)));
    }

    /// Returns the manifest that a tag points to.
    public Optional<ManifestRecord> find(Repository repository, String tag) {
        return byTag.get(repository, tag, () -> database.read(tx -> ManifestRows.find(tx, repository.id(), tag)));
    }

    /// Returns the exact bytes of a manifest that [#find] returned: the cache's own array, do not change it.
    /// Empty if the manifest was deleted since or is damaged; a damaged one is distrusted until it is pushed
    /// again.
    public Optional<byte[]> content(ManifestRecord manifest) {
        return contents.find(manifest.id(), id -> load(manifest));
    }

    private Optional<byte[]> load(ManifestRecord manifest) {
        var content = database.read(tx -> ManifestRows.content(tx, manifest.id()))
                .filter(bytes -> DamagedContent.has(bytes, manifest.digest()));
        if (content.isEmpty()) {
            damage.report(manifest);
        }
        return content;
    }
}
