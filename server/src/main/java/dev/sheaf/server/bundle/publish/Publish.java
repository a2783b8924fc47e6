package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.wire.bundle.ScanFinding;
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
import dev.sheaf.server.bundle.passport.ScanFindings;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import dev.sheaf.server.bundle.requirement.RequirementRules;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.review.BundlePolicy;
import dev.sheaf.server.bundle.review.HeldPushes;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.bundle.review.ReviewPolicy;
import dev.sheaf.server.bundle.review.Scanner;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.HeldBlobs;
import dev.sheaf.server.registry.content.HeldRows;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.content.StoredManifest;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
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

    /// The outcome of a publish.
    public sealed interface Outcome permits Published, Held {
        /// Returns the digest of the version's manifest.
        Digest digest();
    }

    /// The version needs approval before it is published.
    public record Held(Review review) implements Outcome {
        @Override
        public Digest digest() {
            return review.digest();
        }
    }

    /// The version is published.
    ///
    /// @param notes the notes of the new version; null if the version existed already with the same content
    /// @param notices notices for the publisher about this push
    /// @param mayBeReferred false if nothing refers to its manifest, such as a signature
    public record Published(
            BundleSnapshot bundle,
            BundleSnapshot.Resolved version,
            NewVersion.@Nullable Notes notes,
            List<PublishNotice> notices,
            boolean mayBeReferred)
            implements Outcome {
        public Published {
            notices = List.copyOf(notices);
        }

        @Override
        public Digest digest() {
            return version.version().digest();
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

    /// Reads the files of a version that is about to be published, if a policy asks what is in them.
    public interface Reading {
        Passport passport(NewVersion.Content content);

        /// Reads the version with which the rules of the policy compare it.
        Passport passport(AutomaticApproval.Base base);
    }

    /// A policy asks what is in the files of a version, and they were not read yet: that takes too long for a
    /// transaction. It ends without effect and is begun again.
    static final class NotScannedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient AutomaticApproval.@Nullable Base base;

        /// @param base the version with which the rules of the policy compare it; null if they do not
        NotScannedException(Version version, AutomaticApproval.@Nullable Base base) {
            super("version " + version + " was not scanned", null, false, false);
            this.base = base;
        }

        AutomaticApproval.Read read(Reading reading) {
            return base == null
                    ? AutomaticApproval.Read.NOTHING
                    : AutomaticApproval.Read.of(base, reading.passport(base));
        }
    }

    /// The versions and tags to give to a manifest.
    public record Names(List<NewVersion> versions, List<String> tags) {
        public Names {
            versions = List.copyOf(versions);
            tags = List.copyOf(tags);
        }
    }

    /// Publishes a version, or keeps it until it is approved.
    ///
    /// @throws ProblemException version-exists if its number is taken by different content; version-deleted if
    /// a version with its number or digest was deleted; visibility-mismatch if the bundle is public and the
    /// publication says private; those of [Access#write]; those of [PublishRules] if its content breaks one
    public Outcome version(ChangeOrigin origin, NewVersion publication, Reading reading) {
        return version(origin, publication, With.NOTHING, reading);
    }

    /// Publishes a version together with something else, whose content is among the staged blobs. A version that
    /// needs approval is kept without it.
    Outcome version(ChangeOrigin origin, NewVersion publication, With with, Reading reading) {
        try {
            check(publication, PublishRules.Pointers.PUSH);
            try {
                return write(origin, publication, with);
            } catch (NotScannedException e) {
                return write(origin, read(publication, reading, e), with);
            }
        } catch (RuntimeException e) {
            blobs.discard(publication.blobs(), e);
            throw e;
        }
    }

    private static NewVersion read(NewVersion publication, Reading reading, NotScannedException wanted) {
        var known = publication.notes().passport();
        return publication.with(known == null ? reading.passport(publication.content()) : known, wanted.read(reading));
    }

    private Outcome write(ChangeOrigin origin, NewVersion publication, With with) {
        return database.write(tx -> {
            var outcome = put(tx, origin, newBundles.place(tx, origin, publication.name()), publication);
            if (outcome instanceof Published done) {
                with.work().write(tx, done, publication.content().manifest());
            }
            return outcome;
        });
    }

    /// The result of pushing a manifest.
    ///
    /// @param digest the digest to which the tags, or else the first version, now point. It differs from the
    ///     pushed digest if an existing version differs only in modes, which were not kept when it was
    ///     published
    /// @param notices notices for the publisher
    /// @param held the versions that need approval
    public record Put(Digest digest, List<PublishNotice> notices, List<Review> held) {
        public Put {
            notices = List.copyOf(notices);
            held = List.copyOf(held);
        }
    }

    /// Stores a manifest under its digest, publishes it as these versions and moves these tags to it, in one
    /// transaction, for pushes by OCI clients. Without versions and tags nothing is published. A missing bundle
    /// is created as private, named by its slug. Pushing `latest` pins it.
    ///
    /// @throws ProblemException those of [#version]; conflict if new versions need approval and a tag would not
    /// point to an approved one
    public Put manifest(
            ChangeOrigin origin, RepositoryName name, ManifestDocument document, Names names, Reading reading) {
        names.versions().forEach(publication -> check(publication, PublishRules.Pointers.MANIFEST));
        try {
            return manifest(origin, name, document, names);
        } catch (NotScannedException e) {
            var read = names.versions().stream()
                    .map(publication -> read(publication, reading, e))
                    .toList();
            return manifest(origin, name, document, new Names(read, names.tags()));
        }
    }

    private Put manifest(ChangeOrigin origin, RepositoryName name, ManifestDocument document, Names names) {
        return database.write(tx -> {
            var notices = new ArrayList<PublishNotice>();
            var published = new ArrayList<Digest>();
            var held = new ArrayList<Review>();
            var moved = new ArrayList<>(names.tags());
            for (var publication : names.versions()) {
                var place = newBundles.place(tx, origin, name);
                if (hasOtherBuild(tx, place.bundle(), publication.content().version())) {
                    moved.add(publication.content().version().ociTag());
                    continue;
                }
                switch (put(tx, origin, place, publication)) {
                    case Published done -> {
                        notices.addAll(done.notices());
                        published.add(done.version().version().digest());
                    }
                    case Held waiting -> {
                        held.add(waiting.review());
                        published.add(waiting.review().digest());
                    }
                }
            }
            if (moved.isEmpty()) {
                if (published.stream().allMatch(document.digest()::equals)) {
                    manifests.accept(tx, repository(tx, origin, name), document);
                }
                return new Put(published.isEmpty() ? document.digest() : published.getFirst(), notices, held);
            }
            var place = newBundles.place(tx, origin, name);
            requireApproved(tx, place, document.digest(), moved);
            if (!name.mayHaveBundle()) {
                var repository = place.repository();
                var stored = manifests.accept(tx, repository, document);
                moved.forEach(tag -> {
                    tags.set(tx, repository, tag, stored, Tags.Kind.REGISTRY, origin.actor());
                    AuditRows.record(tx, origin, "tag.move", name + ":" + tag);
                });
                return new Put(stored.digest(), notices, held);
            }
            var text = BundleProfile.of(name.bundle().value(), null, null, null);
            var bundle = bundle(tx, origin, place, text, null);
            var target = manifests.accept(tx, bundle.repository(), document);
            HeldRows.open(tx, bundle.repository(), target.id());
            moved.forEach(tag -> BundleTags.push(tx, tags, origin, bundle, tag, target));
            return new Put(target.digest(), notices, held);
        });
    }

    /// Refuses tags that would give readers a manifest of which no version is approved.
    private static void requireApproved(Tx tx, NewBundles.Place place, Digest manifest, List<String> tags) {
        if (HeldPushes.needed(tx, place.repository()).isNothing()) {
            return;
        }
        var bundle = place.bundle();
        if (bundle == null || VersionRows.find(tx, bundle.id(), manifest).isEmpty()) {
            throw new Problem.Conflict("new versions of "
                            + place.repository().name()
                            + " are checked, so the tag " + tags.getFirst()
                            + " can only point to the manifest of a version; push it as a version such as 1.2.3,"
                            + " and move the tag when it is published")
                    .raise();
        }
    }

    /// Returns whether a version exists that differs only in build metadata. Images name variants like this
    /// (`21.0.5_11-jdk` and `21.0.5_11-jre`); the first is the version, the others are tags of `/v2`.
    private static boolean hasOtherBuild(Tx tx, @Nullable BundleRow bundle, Version version) {
        return bundle != null
                && !version.build().isEmpty()
                && VersionRows.find(tx, bundle.id(), version)
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
        var violations = new ArrayList<>(rules.ofContent(publication.content(), pointers));
        violations.addAll(PublishRules.ofRequires(publication));
        PublishRules.require(violations);
    }

    private BundleSnapshot bundle(
            Tx tx, ChangeOrigin origin, NewBundles.Place place, BundleProfile text, @Nullable Visibility visibility) {
        var repository = place.repository();
        var existing = place.bundle();
        if (existing != null) {
            return new BundleSnapshot(repository, existing);
        }
        var chosen = visibility == null ? Visibility.PRIVATE : visibility;
        return newBundles
                .in(tx, origin, repository, text, chosen, BundleRow.Source.REGISTRY)
                .orElseThrow(() -> new Problem.NameTaken(repository.name().toString()).raise());
    }

    /// Publishes as [#version] inside a transaction that has locked the bundle.
    ///
    /// @param expected the version that must be the latest now; null for any
    Outcome version(
            Tx tx, ChangeOrigin origin, BundleSnapshot bundle, NewVersion publication, @Nullable Version expected) {
        check(publication, PublishRules.Pointers.WORKING);
        return put(tx, origin, new NewBundles.Place(bundle.repository(), bundle.bundle()), publication, expected);
    }

    /// Publishes a version that has the approvals that it needs, in the transaction of the last one. Its files are
    /// read.
    ///
    /// @throws ProblemException scan-blocked; those of [#version]
    public Published approved(Tx tx, ChangeOrigin origin, NewVersion publication) {
        check(publication, PublishRules.Pointers.MANIFEST);
        var place = newBundles.place(tx, origin, publication.name());
        holding(tx, place, publication, null); // the policy may refuse what it did not refuse at the push
        return put(tx, origin, bundle(tx, origin, place, publication), publication, null);
    }

    private BundleSnapshot bundle(Tx tx, ChangeOrigin origin, NewBundles.Place place, NewVersion publication) {
        return bundle(tx, origin, place, publication.description(), publication.visibility());
    }

    private Outcome put(Tx tx, ChangeOrigin origin, NewBundles.Place place, NewVersion publication) {
        return put(tx, origin, place, publication, null);
    }

    private Outcome put(
            Tx tx, ChangeOrigin origin, NewBundles.Place place, NewVersion publication, @Nullable Version expected) {
        var hold = holding(tx, place, publication, origin.actor()).orElse(null);
        if (hold != null && !hold.isRuled()) {
            return hold(tx, origin, place, publication, hold, expected);
        }
        var published = put(tx, origin, bundle(tx, origin, place, publication), publication, expected);
        if (hold != null) {
            var version = published.version().version();
            var review = HeldPushes.approve(
                    tx,
                    origin,
                    place.repository(),
                    hold.policy(),
                    content(publication, version.manifest(), List.of(), hold),
                    hold.rule());
            VersionRows.approved(tx, version.id(), review);
        }
        return published;
    }

    /// Why a version needs approval.
    ///
    /// @param reasons the findings that ask for it
    /// @param scanners those that must allow it
    /// @param rule the number of the rule that approves it; 0 if people must
    private record Holding(ReviewPolicy policy, List<ScanFinding> reasons, List<Scanner> scanners, int rule) {
        /// Returns whether it is published without waiting for anybody.
        boolean isRuled() {
            return rule > 0 && scanners.isEmpty();
        }
    }

    /// Returns why a version needs approval; empty if it does not, and for one that exists already.
    ///
    /// @param actor who pushes it; null if rules do not matter
    /// @throws ProblemException scan-blocked if the policy refuses it
    private static Optional<Holding> holding(
            Tx tx, NewBundles.Place place, NewVersion publication, @Nullable String actor) {
        var bundle = place.bundle();
        var policy = HeldPushes.needed(tx, place.repository());
        var version = publication.content().version();
        if (policy.isNothing()
                || (bundle != null && VersionRows.find(tx, bundle.id(), version).isPresent())) {
            return Optional.empty();
        }
        if (!publication.content().manifest().manifests().isEmpty()) {
            throw new Problem.Conflict(
                            "version " + version + " of " + publication.name() + " is an index of other manifests,"
                                    + " which nobody can review or scan as one; a policy of the bundle or its namespace asks for"
                                    + " that, so push the manifest of one platform as the version")
                    .raise();
        }
        var scan = policy.scan();
        var base = policy.auto().isEmpty() || actor == null
                ? null
                : AutomaticApproval.base(tx, place.repository(), bundle, version, false)
                        .orElse(null);
        if (base != null && publication.notes().compared() == null) {
            throw new NotScannedException(version, base);
        }
        var findings = scan == null || !scan.readsFiles() ? List.<ScanFinding>of() : findings(publication);
        policy.requireUnblocked(publication.name(), version, findings);
        var reasons = policy.reasons(findings);
        var approval = policy.approval();
        int rule = base == null || bundle == null || actor == null || !reasons.isEmpty()
                ? 0
                : rule(policy, base, new BundleSnapshot(place.repository(), bundle), publication, actor);
        boolean asksPeople = (policy.review() != null && rule == 0) || !reasons.isEmpty();
        return approval == null
                        || (!asksPeople && rule == 0 && policy.scanners().isEmpty())
                ? Optional.empty()
                : Optional.of(new Holding(
                        asksPeople || policy.scanners().isEmpty() ? approval : approval.withoutPeople(),
                        reasons,
                        policy.scanners(),
                        rule));
    }

    private static int rule(
            BundlePolicy policy,
            AutomaticApproval.Base base,
            BundleSnapshot bundle,
            NewVersion publication,
            String actor) {
        var compared = publication.notes().compared();
        return compared == null ? 0 : AutomaticApproval.rule(policy.auto(), base, compared, bundle, publication, actor);
    }

    /// Returns the number of the rule that approves a push that waited for scanners; 0 if people must. Its
    /// files are read.
    ///
    /// @param actor who pushed it
    public int rule(Tx tx, ChangeOrigin origin, BundlePolicy policy, NewVersion publication, String actor) {
        var place = newBundles.place(tx, origin, publication.name());
        var bundle = place.bundle();
        var version = publication.content().version();
        return AutomaticApproval.base(tx, place.repository(), bundle, version, true)
                .map(base -> bundle == null
                        ? 0
                        : rule(policy, base, new BundleSnapshot(place.repository(), bundle), publication, actor))
                .orElse(0);
    }

    private static List<ScanFinding> findings(NewVersion publication) {
        var passport = publication.notes().passport();
        if (passport == null) {
            throw new NotScannedException(publication.content().version(), null);
        }
        var found = ScanFindings.of(passport, publication.notes().warnings());
        return isConfigKnown(publication.content().manifest())
                ? found
                : Stream.concat(found.stream(), Stream.of(ScanFindings.NO_CONFIG))
                        .toList();
    }

    /// Returns whether a manifest has no config but one of ours or the empty one, so that nothing is in it.
    private static boolean isConfigKnown(ManifestDocument manifest) {
        return manifest.config()
                .filter(config -> !config.mediaType().equals(MediaType.BUNDLE_CONFIG)
                        && !config.mediaType().equals(MediaType.EMPTY))
                .isEmpty();
    }

    /// Keeps a version until it is approved. Its rules are checked now, and again then.
    private Held hold(
            Tx tx,
            ChangeOrigin origin,
            NewBundles.Place place,
            NewVersion publication,
            Holding holding,
            @Nullable Version expected) {
        var repository = place.repository();
        var staged = HeldBlobs.of(tx, publication.blobs());
        var bundle = place.bundle();
        if (bundle != null) {
            var snapshot = new BundleSnapshot(repository, bundle);
            var taken = TakenNames.of(tx, tags, snapshot, publication);
            PublishRules.require(rules.ofBundle(tx, snapshot, publication, taken, expected));
        }
        PublishRules.require(
                PublishRules.ofRequired(tx, origin.caller(), dependent(tx, place, publication), publication));
        var content = publication.content();
        var linked = blobs.link(tx, repository, staged);
        var stored = manifests.store(tx, repository, content.manifest(), linked);
        var names = publication.tags().stream().map(Tag::value).distinct().toList();
        var existing = tags.find(tx, repository, names).get();
        var wanted = names.stream()
                .map(name -> new Review.Wanted(
                        name,
                        Optional.ofNullable(existing.get(name))
                                .map(TagRecord::manifestId)
                                .orElse(0L)))
                .toList();
        return new Held(HeldPushes.hold(
                tx, origin, repository, holding.policy(), content(publication, stored.manifest(), wanted, holding)));
    }

    private static HeldPushes.Content content(
            NewVersion publication, StoredManifest manifest, List<Review.Wanted> wanted, Holding holding) {
        var content = publication.content();
        return new HeldPushes.Content(
                content.version(),
                manifest,
                content.assets(),
                publication.description(),
                publication.visibility(),
                publication.notes().message(),
                wanted,
                holding.reasons(),
                holding.scanners(),
                content.requires());
    }

    /// Returns all reasons for which a publish of the working set would be refused now.
    List<PublishRules.Violation> violations(
            Tx tx, ChangeOrigin origin, BundleSnapshot bundle, NewVersion publication, @Nullable Version expected) {
        var found = new ArrayList<>(rules.ofContent(publication.content(), PublishRules.Pointers.WORKING));
        found.addAll(PublishRules.ofRequires(publication));
        var taken = TakenNames.of(tx, tags, bundle, publication);
        found.addAll(rules.ofBundle(tx, bundle, publication, taken, expected));
        if (taken.version() == null) {
            found.addAll(PublishRules.ofRequired(tx, origin.caller(), dependent(tx, bundle, publication), publication));
        }
        return found;
    }

    private static boolean requiresApproved(Tx tx, NewVersion publication) {
        return !publication.content().requires().isEmpty()
                && BundlePolicies.effective(tx, publication.name()).requiresApproved();
    }

    private static RequirementRules.Dependent dependent(Tx tx, BundleSnapshot bundle, NewVersion publication) {
        return new RequirementRules.Dependent(
                bundle.name(), bundle.organizationId(), bundle.visibility(), requiresApproved(tx, publication));
    }

    /// Returns the bundle as it will be after a push that may create it.
    private static RequirementRules.Dependent dependent(Tx tx, NewBundles.Place place, NewVersion publication) {
        var repository = place.repository();
        var first = Objects.requireNonNullElse(publication.visibility(), Visibility.PRIVATE);
        return new RequirementRules.Dependent(
                repository.name(),
                repository.organizationId(),
                place.bundle() == null ? first : repository.visibility(),
                requiresApproved(tx, publication));
    }

    private Published put(
            Tx tx, ChangeOrigin origin, BundleSnapshot bundle, NewVersion publication, @Nullable Version expected) {
        // these look-ups do not depend on each other, so they share a trip
        var held = HeldBlobs.of(tx, publication.blobs());
        var entry = NewVersions.entry(tx, bundle);
        var taken = TakenNames.of(tx, tags, bundle, publication);
        PublishRules.require(rules.ofBundle(tx, bundle, publication, taken, expected));
        var before = taken.version();
        if (before == null) {
            PublishRules.require(
                    PublishRules.ofRequired(tx, origin.caller(), dependent(tx, bundle, publication), publication));
        }
        var linked = blobs.link(tx, bundle.repository(), held);
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
        var version = new BundleSnapshot.Resolved(
                before, AssetRows.list(tx, before.id()), tagsNow, RequirementRows.list(tx, before.id()));
        return new Published(bundle, version, null, notices, true);
    }
}
