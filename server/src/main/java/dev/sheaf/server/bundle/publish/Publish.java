package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.NewBundles;
import dev.sheaf.server.bundle.Profile;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.bundle.tag.LatestTag;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.content.StoredManifest;
import dev.sheaf.server.registry.tag.Tags;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The single way to publish. JSON pushes, working assets and OCI manifests all end here, in one transaction with
/// links, manifest, version, tags, `latest`, event and audit entry, all or none. Thread-safe; of concurrent
/// publishes of the same version one wins.
public final class Publish {
    private final Database database;
    private final NewBundles newBundles;
    private final Blobs blobs;
    private final Manifests manifests;
    private final Tags tags;
    private final PublishRules rules;

    public Publish(
            Database database,
            NewBundles newBundles,
            Blobs blobs,
            Manifests manifests,
            Tags tags,
            BundleLimits limits) {
        this.database = database;
        this.newBundles = newBundles;
        this.blobs = blobs;
        this.manifests = manifests;
        this.tags = tags;
        this.rules = new PublishRules(limits);
    }

    /// The result of a publish.
    ///
    /// @param notes of the new version; null if the version existed already with the same content
    /// @param notices for the publisher about this push
    public record Published(
            Snapshot bundle, Snapshot.Resolved version, Publication.@Nullable Notes notes, List<Notice> notices) {
        public Published {
            notices = List.copyOf(notices);
        }
    }

    /// A notice for the publisher of a version that is not about its content.
    ///
    /// @param code a word for programs
    public record Notice(String code, String detail) {}

    /// The versions and tags to give to a manifest.
    public record Names(List<Publication> versions, List<Tag> tags) {
        public Names {
            versions = List.copyOf(versions);
            tags = List.copyOf(tags);
        }
    }

    /// Publishes a version.
    ///
    /// @throws ProblemException version-exists if its number is taken by other content; version-deleted if a
    /// version with its number or digest was deleted; visibility-mismatch if the bundle is public and the
    /// publication says private; as [Access#write]; as [PublishRules] if its content breaks one
    public Published version(Origin origin, Publication publication) {
        try {
            check(publication, PublishRules.Pointers.PUSH);
            return database.write(tx -> put(tx, origin, bundle(tx, origin, publication), publication, null));
        } catch (RuntimeException e) {
            blobs.discard(publication.blobs(), e);
            throw e;
        }
    }

    /// The result of pushing a manifest.
    ///
    /// @param digest that the tags, or else the first version, now have. It differs from the pushed digest if an
    /// existing version differs only in modes, which were not kept when it was published
    /// @param notices for the publisher
    public record Put(Digest digest, List<Notice> notices) {
        public Put {
            notices = List.copyOf(notices);
        }
    }

    /// Stores a manifest under its digest, publishes it as these versions and moves these tags to it, all or none,
    /// for pushes of OCI clients. Without versions and tags nothing is published. A missing bundle is created as
    /// private, named by its slug. Pushing `latest` pins it. A manifest that differs from an existing version only
    /// in modes, which were not kept when that was published, is not stored; its tags point to the version.
    ///
    /// @throws ProblemException as [#version]
    public Put manifest(Origin origin, RepositoryName name, ManifestDocument document, Names names) {
        names.versions().forEach(publication -> check(publication, PublishRules.Pointers.MANIFEST));
        var packedWithout = OldModes.packedWithout(document);
        return database.write(tx -> {
            var notices = new ArrayList<Notice>();
            var published = new ArrayList<Digest>();
            for (var publication : names.versions()) {
                var done = put(tx, origin, bundle(tx, origin, publication), publication, null);
                notices.addAll(done.notices());
                published.add(done.version().version().digest());
            }
            if (names.tags().isEmpty()) {
                if (published.stream().allMatch(document.digest()::equals)) {
                    manifests.accept(tx, repository(tx, origin, name), document);
                }
                return new Put(published.isEmpty() ? document.digest() : published.getFirst(), notices);
            }
            var text = Profile.of(name.bundle().value(), null, null, null);
            var bundle = bundle(tx, origin, name, text, null);
            var old = packedWithout
                    .filter(digest -> !isVersion(tx, bundle, document))
                    .flatMap(digest -> OldModes.find(tx, bundle, digest));
            old.ifPresent(version -> notices.add(OldModes.notice(bundle, version)));
            var target =
                    old.map(VersionRow::manifest).orElseGet(() -> manifests.accept(tx, bundle.repository(), document));
            names.tags().forEach(tag -> moveTag(tx, origin, bundle, tag, target));
            return new Put(target.digest(), notices);
        });
    }

    private static boolean isVersion(Tx tx, Snapshot bundle, ManifestDocument document) {
        return VersionRows.find(tx, bundle.bundle().id(), document.digest()).isPresent();
    }

    /// Returns the repository for uploads before a publish, created if it is missing.
    ///
    /// @throws ProblemException quota-exceeded if nothing could be uploaded to it
    public Repository open(Origin origin, RepositoryName name) {
        newBundles.mayHold(origin);
        return database.write(tx -> repository(tx, origin, name));
    }

    private Repository repository(Tx tx, Origin origin, RepositoryName name) {
        return newBundles.repository(tx, origin, name);
    }

    private void check(Publication publication, PublishRules.Pointers pointers) {
        PublishRules.require(rules.ofContent(publication.content(), pointers));
    }

    private Snapshot bundle(Tx tx, Origin origin, Publication publication) {
        return bundle(tx, origin, publication.name(), publication.description(), publication.visibility());
    }

    private Snapshot bundle(Tx tx, Origin origin, RepositoryName name, Profile text, @Nullable Visibility visibility) {
        var repository = repository(tx, origin, name);
        var existing = BundleRows.find(tx, repository.id());
        if (existing.isPresent()) {
            return new Snapshot(repository, existing.get());
        }
        var chosen = visibility == null ? Visibility.PRIVATE : visibility;
        return newBundles
                .in(tx, origin, repository, text, chosen, BundleRow.Source.REGISTRY)
                .orElseThrow(() -> new Problem.NameTaken(name.toString()).raise());
    }

    /// Publishes as [#version] inside a transaction that has locked the bundle.
    ///
    /// @param expected the version that must be the latest now; null for any
    Published version(Tx tx, Origin origin, Snapshot bundle, Publication publication, @Nullable Version expected) {
        check(publication, PublishRules.Pointers.WORKING);
        return put(tx, origin, bundle, publication, expected);
    }

    /// Returns everything that a publish of the working set would be refused for now.
    List<PublishRules.Violation> violations(
            Tx tx, Snapshot bundle, Publication publication, @Nullable Version expected) {
        var found = new ArrayList<>(rules.ofContent(publication.content(), PublishRules.Pointers.WORKING));
        found.addAll(rules.ofBundle(tx, bundle, publication, TakenNames.of(tx, tags, bundle, publication), expected));
        return found;
    }

    private Published put(Tx tx, Origin origin, Snapshot bundle, Publication publication, @Nullable Version expected) {
        var taken = TakenNames.of(tx, tags, bundle, publication);
        PublishRules.require(rules.ofBundle(tx, bundle, publication, taken, expected));
        var content = publication.content();
        var before = taken.version();
        boolean lacksModes = before != null && OldModes.lacks(tx, before, content.manifest());
        blobs.link(tx, bundle.repository(), publication.blobs());
        if (before != null && !lacksModes) {
            manifests.store(tx, bundle.repository(), content.manifest()); // repairs a damaged manifest too
        }
        var current = LatestTag.latest(tx, bundle, taken.tag(Tag.LATEST)); // before the new version exists
        var row = before == null ? insert(tx, origin, bundle, publication) : before;
        var assets = AssetRows.list(tx, row.id());
        if (before == null) {
            var published = new Snapshot.Resolved(row, assets, List.of());
            AfterPublish.update(tx, tags, origin, bundle, publication, current, published);
        }
        for (Tag tag : new LinkedHashSet<>(publication.tags())) {
            if (!tag.equals(Tag.LATEST)) { // managed by the service; publishers cannot set it
                BundleTags.move(tx, tags, origin, bundle, tag.value(), taken.tag(tag), row.manifest());
            }
        }
        var resolved = new Snapshot.Resolved(row, assets, tagsOf(tx, bundle, row));
        var notices = notices(bundle, publication, resolved.tags());
        if (lacksModes) {
            notices.add(OldModes.notice(bundle, row));
        }
        return new Published(bundle, resolved, before == null ? publication.notes() : null, notices);
    }

    /// @param tags that point to the version now
    private static List<Notice> notices(Snapshot bundle, Publication publication, List<String> tags) {
        var notices = new ArrayList<Notice>();
        if (publication.tags().contains(Tag.LATEST) && !tags.contains(Tag.LATEST.value())) {
            notices.add(new Notice(
                    "latest",
                    "the tag latest of " + bundle.name() + " does not point to "
                            + publication.content().version() + ": it follows the highest stable version that is not"
                            + " yanked, or is where somebody pinned it; to pin it here, PUT the tag"));
        }
        if (publication.visibility() == Visibility.PUBLIC && bundle.visibility() == Visibility.PRIVATE) {
            notices.add(new Notice(
                    "visibility",
                    "bundle " + bundle.name() + " is private and stays so: a push makes only a new bundle public; to"
                            + " open this one, PATCH it with {\"visibility\": \"public\"}"));
        }
        return notices;
    }

    private List<String> tagsOf(Tx tx, Snapshot bundle, VersionRow version) {
        return BundleTags.of(tags.pointingAt(tx, version.manifestId()), version.version());
    }

    private VersionRow insert(Tx tx, Origin origin, Snapshot bundle, Publication publication) {
        var content = publication.content();
        var manifest = manifests.store(tx, bundle.repository(), content.manifest());
        var version = VersionRows.insert(tx, bundle, content.version(), manifest, content.size(), origin.actor());
        AssetRows.insert(tx, version.id(), content.assets());
        VersionNoteRows.insert(tx, version.id(), publication.notes());
        String tag = content.version().ociTag();
        tags.set(tx, bundle.repository(), tag, manifest, Tags.Kind.VERSION, origin.actor());
        var published = new Event.VersionPublished(
                bundle.bundle().id(),
                version.id(),
                bundle.name().toString(),
                content.version().toString(),
                version.digest().toString());
        OutboxRows.emit(tx, origin, published, bundle.visibility() == Visibility.PUBLIC);
        AuditRows.record(tx, origin, "version.publish", bundle.name() + ":" + content.version());
        return version;
    }

    private void moveTag(Tx tx, Origin origin, Snapshot bundle, Tag tag, StoredManifest to) {
        var current = tags.find(tx, bundle.repository(), tag.value());
        BundleTags.mayMove(tx, bundle, tag, current.orElse(null), to.id());
        BundleTags.move(tx, tags, origin, bundle, tag.value(), current.orElse(null), to);
    }
}
