package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.HoldRows;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.bundle.tag.LatestTag;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;

/// Deletions by OCI clients (distribution-spec, "Content Management"). Versions cannot be deleted this way:
/// deleting a manifest, tag or blob of a version is refused. Each method checks the access rule inside its
/// transaction, with the repository locked, so that nothing is published in between.
public final class OciDelete {
    private final Database database;
    private final Repositories repositories;
    private final Blobs blobs;
    private final Manifests manifests;
    private final Tags tags;

    public OciDelete(Database database, Repositories repositories, Blobs blobs, Manifests manifests, Tags tags) {
        this.database = database;
        this.repositories = repositories;
        this.blobs = blobs;
        this.manifests = manifests;
        this.tags = tags;
    }

    /// Deletes a manifest and the tags that point to it.
    ///
    /// @throws ProblemException manifest-unknown; conflict if it belongs to a version, an index lists it, or one
    /// of its tags is protected; those of [Access#delete]
    public void manifest(ChangeOrigin origin, RepositoryName name, Digest digest) {
        database.write(tx -> {
            var repository = repository(tx, origin, name);
            var manifest = manifests
                    .find(tx, repository, digest)
                    .orElseThrow(() -> new Problem.ManifestUnknown(name, digest.toString()).raise());
            VersionRows.ofManifest(tx, manifest.id()).ifPresent(version -> {
                throw versioned(
                                "the manifest " + digest,
                                name,
                                version.toString(),
                                "; to remove only another tag of it, name the tag instead of the digest, as"
                                        + " crane delete does")
                        .raise();
            });
            new HoldRows().reviews(tx, manifest.id(), 1).stream().findFirst().ifPresent(version -> {
                throw new Problem.Conflict(
                                "the manifest " + digest + " was pushed as version " + version + " of " + name
                                        + ", which needs or needed approval; withdraw that push instead, and it goes after 30"
                                        + " days")
                        .raise();
            });
            for (var tag : tags.pointingAt(tx, manifest.id())) {
                remove(tx, origin, repository, tag);
            }
            manifests.delete(tx, repository, manifest);
            var event = new Event.ManifestDeleted(name.toString(), digest.toString());
            OutboxRows.emit(tx, origin, event, repository.visibility() == Visibility.PUBLIC);
            AuditRows.record(tx, origin, "manifest.delete", name + "@" + digest);
            return manifest;
        });
    }

    /// Removes a tag; its manifest stays. If a pinned `latest` is removed, the registry manages it again.
    ///
    /// @throws ProblemException manifest-unknown; conflict if it belongs to a version, is managed by the
    ///     registry, or is protected; those of [Access#delete]
    public void tag(ChangeOrigin origin, RepositoryName name, String tag) {
        database.write(tx -> {
            var repository = repository(tx, origin, name);
            var found =
                    tags.find(tx, repository, tag).orElseThrow(() -> new Problem.ManifestUnknown(name, tag).raise());
            remove(tx, origin, repository, found);
            return found;
        });
    }

    /// Removes a blob from the repository.
    ///
    /// @throws ProblemException blob-unknown; conflict while a manifest of the repository refers to it; those
    /// of [Access#delete]
    public void blob(ChangeOrigin origin, RepositoryName name, Digest digest) {
        database.write(tx -> {
            blobs.delete(tx, repository(tx, origin, name), digest, new HoldRows());
            AuditRows.record(tx, origin, "blob.delete", name + "@" + digest);
            return digest;
        });
    }

    private Repository repository(Tx tx, ChangeOrigin origin, RepositoryName name) {
        return Access.delete(origin.caller(), name, repositories.lock(tx, name).orElse(null));
    }

    private void remove(Tx tx, ChangeOrigin origin, Repository repository, TagRecord tag) {
        var name = repository.name();
        switch (tag.kind()) {
            case VERSION ->
                throw versioned("the tag " + tag.name(), name, tag.name(), "").raise();
            case MANAGED ->
                throw new Problem.Conflict("the tag " + tag.name() + " of " + name
                                + " is managed by the registry: it follows the highest version and disappears"
                                + " with the last one")
                        .raise();
            case USER, REGISTRY -> {
                if (tag.isProtected()) {
                    throw new Problem.Conflict("the tag " + tag.name() + " of " + name
                                    + " is protected; lift the protection first")
                            .raise();
                }
            }
        }
        if (!name.mayHaveBundle()) {
            tags.remove(tx, repository, tag.name(), origin.actor());
            AuditRows.record(tx, origin, "tag.delete", name + ":" + tag.name());
            return;
        }
        var bundle =
                // a tag of another repository always has a bundle
                new BundleSnapshot(
                        repository, BundleRows.find(tx, repository.id()).orElseThrow());
        if (tag.name().equals(Tag.LATEST.value())) {
            LatestTag.unpin(tx, tags, origin, bundle, tag);
        } else {
            BundleTags.remove(tx, tags, origin, bundle, tag);
        }
    }

    private static Problem versioned(String what, RepositoryName name, String version, String more) {
        return new Problem.Conflict(what + " belongs to version " + version + " of " + name
                + ", and published versions cannot be deleted this way; yank or delete the version" + more);
    }
}
