package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.NewBundles;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.HeldBlobs;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.tag.Tags;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The single way to publish. JSON pushes, working assets and OCI manifests all end here. One transaction
/// writes links, manifest, version, tags, `latest`, event and audit entry. Thread-safe; if several callers
/// publish the same version at the same time, one succeeds.
public final class Publish {
    private final Database database;
    private final NewBundles newBundles;
    private final Blobs blobs;
    private final Manifests manifests;
    private final Tags tags;
    private final PublishRules rules;
    private final NewVersions newVersions;

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
        this.newVersions = new NewVersions(manifests, tags);
    }

    /// The result of a publish.
    ///
    /// @param notes the notes of the new version; null if the version existed already with the same content
    /// @param notices notices for the publisher about this push
    /// @param mayBeReferred false if nothing refers to its manifest, such as a signature
    public record Published(
            BundleSnapshot bundle,
            BundleSnapshot.Resolved version,
            NewVersion.@Nullable Notes notes,
            List<PublishNotice> notices,
            boolean mayBeReferred) {
        public Published {
            notices = List.copyOf(notices);
        }
    }

    /// Something that is published together with a version, or not at all.
    ///
    /// @param content the contents to store beside the version's own; used, not copied
    public record With(List<byte[]> content, Work work) {
        static final With NOTHING = new With(List.of(), (tx, published, manifest) -> {});

        public With {
            content = List.copyOf(content);
        }

        /// What it writes.
        public interface Work {
            /// Runs in the transaction of the publish, at its end. Its contents are linked to the repository.
            ///
            /// @param manifest that of the version
            void write(Tx tx, Published published, ManifestDocument manifest);
        }
    }

    /// The versions and tags to give to a manifest.
    public record Names(List<NewVersion> versions, List<String> tags) {
        public Names {
            versions = List.copyOf(versions);
            tags = List.copyOf(tags);
        }
    }

    /// Publishes a version.
    ///
    /// @throws ProblemException version-exists if its number is taken by different content; version-deleted if
    /// a version with its number or digest was deleted; visibility-mismatch if the bundle is public and the
    /// publication says private; those of [Access#write]; those of [PublishRules] if its content breaks one
    public Published version(ChangeOrigin origin, NewVersion publication) {
        return version(origin, publication, With.NOTHING);
    }

    /// Publishes a version together with something else, whose content is among the staged blobs.
    Published version(ChangeOrigin origin, NewVersion publication, With with) {
        try {
            check(publication, PublishRules.Pointers.PUSH);
            return database.write(tx -> {
                var done = put(tx, origin, bundle(tx, origin, publication), publication, null);
                with.work().write(tx, done, publication.content().manifest());
                return done;
            });
        } catch (RuntimeException e) {
            blobs.discard(publication.blobs(), e);
            throw e;
        }
    }

    /// The result of pushing a manifest.
    ///
    /// @param digest the digest to which the tags, or else the first version, now point. It differs from the
    ///     pushed digest if an existing version differs only in modes, which were not kept when it was
    ///     published
    /// @param notices notices for the publisher
    public record Put(Digest digest, List<PublishNotice> notices) {
        public Put {
            notices = List.copyOf(notices);
        }
    }

    /// Stores a manifest under its digest, publishes it as these versions and moves these tags to it, in one
    /// transaction, for pushes by OCI clients. Without versions and tags nothing is published. A missing bundle
    /// is created as private, named by its slug. Pushing `latest` pins it.
    ///
    /// @throws ProblemException those of [#version]
    public Put manifest(ChangeOrigin origin, RepositoryName name, ManifestDocument document, Names names) {
        names.versions().forEach(publication -> check(publication, PublishRules.Pointers.MANIFEST));
        return database.write(tx -> {
            var notices = new ArrayList<PublishNotice>();
            var published = new ArrayList<Digest>();
            var moved = new ArrayList<>(names.tags());
            for (var publication : names.versions()) {
                var target = bundle(tx, origin, publication);
                if (hasOtherBuild(tx, target, publication.content().version())) {
                    moved.add(publication.content().version().ociTag());
                    continue;
                }
                var done = put(tx, origin, target, publication, null);
                notices.addAll(done.notices());
                published.add(done.version().version().digest());
            }
            if (moved.isEmpty()) {
                if (published.stream().allMatch(document.digest()::equals)) {
                    manifests.accept(tx, repository(tx, origin, name), document);
                }
                return new Put(published.isEmpty() ? document.digest() : published.getFirst(), notices);
            }
            if (!name.mayHaveBundle()) {
                var repository = repository(tx, origin, name);
                var stored = manifests.accept(tx, repository, document);
                moved.forEach(tag -> {
                    tags.set(tx, repository, tag, stored, Tags.Kind.REGISTRY, origin.actor());
                    AuditRows.record(tx, origin, "tag.move", name + ":" + tag);
                });
                return new Put(stored.digest(), notices);
            }
            var text = BundleProfile.of(name.bundle().value(), null, null, null);
            var bundle = bundle(tx, origin, name, text, null);
            var target = manifests.accept(tx, bundle.repository(), document);
            moved.forEach(tag -> BundleTags.push(tx, tags, origin, bundle, tag, target));
            return new Put(target.digest(), notices);
        });
    }

    /// Returns whether a version exists that differs only in build metadata. Images name variants like this
    /// (`21.0.5_11-jdk` and `21.0.5_11-jre`); the first is the version, the others are tags of `/v2`.
    private static boolean hasOtherBuild(Tx tx, BundleSnapshot bundle, Version version) {
        return !version.build().isEmpty()
                && VersionRows.find(tx, bundle.bundle().id(), version)
                        .filter(row -> !row.version().equals(version))
                        .isPresent();
    }

    /// Returns the repository for uploads before a publish, created if it is missing.
    ///
    /// @throws ProblemException quota-exceeded if nothing could be uploaded to it
    public Repository open(ChangeOrigin origin, RepositoryName name) {
        newBundles.mayHold(origin);
        return database.write(tx -> repository(tx, origin, name));
    }

    private Repository repository(Tx tx, ChangeOrigin origin, RepositoryName name) {
        return newBundles.repository(tx, origin, name);
    }

    private void check(NewVersion publication, PublishRules.Pointers pointers) {
        PublishRules.require(rules.ofContent(publication.content(), pointers));
    }

    private BundleSnapshot bundle(Tx tx, ChangeOrigin origin, NewVersion publication) {
        return bundle(tx, origin, publication.name(), publication.description(), publication.visibility());
    }

    private BundleSnapshot bundle(
            Tx tx, ChangeOrigin origin, RepositoryName name, BundleProfile text, @Nullable Visibility visibility) {
        var place = newBundles.place(tx, origin, name);
        var repository = place.repository();
        var existing = place.bundle();
        if (existing != null) {
            return new BundleSnapshot(repository, existing);
        }
        var chosen = visibility == null ? Visibility.PRIVATE : visibility;
        return newBundles
                .in(tx, origin, repository, text, chosen, BundleRow.Source.REGISTRY)
                .orElseThrow(() -> new Problem.NameTaken(name.toString()).raise());
    }

    /// Publishes as [#version] inside a transaction that has locked the bundle.
    ///
    /// @param expected the version that must be the latest now; null for any
    Published version(
            Tx tx, ChangeOrigin origin, BundleSnapshot bundle, NewVersion publication, @Nullable Version expected) {
        check(publication, PublishRules.Pointers.WORKING);
        return put(tx, origin, bundle, publication, expected);
    }

    /// Returns all reasons for which a publish of the working set would be refused now.
    List<PublishRules.Violation> violations(
            Tx tx, BundleSnapshot bundle, NewVersion publication, @Nullable Version expected) {
        var found = new ArrayList<>(rules.ofContent(publication.content(), PublishRules.Pointers.WORKING));
        found.addAll(rules.ofBundle(tx, bundle, publication, TakenNames.of(tx, tags, bundle, publication), expected));
        return found;
    }

    private Published put(
            Tx tx, ChangeOrigin origin, BundleSnapshot bundle, NewVersion publication, @Nullable Version expected) {
        // these look-ups do not depend on each other, so they share a trip
        var held = HeldBlobs.of(tx, publication.blobs());
        var entry = NewVersions.entry(tx, bundle);
        var taken = TakenNames.of(tx, tags, bundle, publication);
        PublishRules.require(rules.ofBundle(tx, bundle, publication, taken, expected));
        var linked = blobs.link(tx, bundle.repository(), held);
        var before = taken.version();
        return before == null
                ? newVersions.insert(
                        tx,
                        origin,
                        bundle,
                        publication,
                        new NewVersions.Ready(taken, linked, entry.get().orElse(null)))
                : again(tx, origin, bundle, publication, taken, before);
    }

    /// Publishes a version that exists already with this content.
    private Published again(
            Tx tx,
            ChangeOrigin origin,
            BundleSnapshot bundle,
            NewVersion publication,
            TakenNames taken,
            VersionRow before) {
        var manifest = publication.content().manifest();
        manifests.store(tx, bundle.repository(), manifest); // repairs a damaged manifest too
        taken.moveTags(tx, tags, origin, bundle, publication, before);
        var tagsNow = BundleTags.of(tx, tags, bundle, before);
        var notices = PublishNotice.of(bundle, publication, tagsNow);
        var version = new BundleSnapshot.Resolved(before, AssetRows.list(tx, before.id()), tagsNow);
        return new Published(bundle, version, null, notices, true);
    }
}
