package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.key.KeyLineage;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.StoredManifest;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Keeps pushes that need approval, in the transaction of the push. Until they have it there is no version, and
/// nothing of the bundle changes.
public final class HeldPushes {
    public static final int MOST_OF_BUNDLE = 20;
    public static final int MOST_OF_ORGANIZATION = 200;

    private HeldPushes() {}

    /// Returns what new versions of the repository need.
    public static BundlePolicy needed(Tx tx, Repository repository) {
        return repository.isReviewed() ? BundlePolicies.effective(tx, repository.name()) : BundlePolicy.NOTHING;
    }

    /// The content of a push.
    ///
    /// @param tags with the ids of the manifests to which they point now, or 0
    /// @param scanners those that must allow it
    /// @param reasons the findings for which it waits; empty if the policy asks for the approval of all versions
    public record Content(
            Version version,
            StoredManifest manifest,
            List<Asset> files,
            BundleProfile profile,
            @Nullable Visibility visibility,
            @Nullable String message,
            List<Review.Wanted> tags,
            List<ScanFinding> reasons,
            List<Scanner> scanners,
            List<Requirement> requires) {
        public Content {
            scanners = List.copyOf(scanners);
            files = List.copyOf(files);
            reasons = List.copyOf(reasons);
            tags = List.copyOf(tags);
            requires = List.copyOf(requires);
        }
    }

    /// Keeps a push. The same content again changes nothing; other content under the same number begins a new round.
    ///
    /// @throws ProblemException held if somebody else's content waits under the number; too-many-held
    public static Review hold(Tx tx, ChangeOrigin origin, Repository repository, ReviewPolicy policy, Content content) {
        var before = ReviewRows.open(tx, repository.id(), content.version());
        if (before.filter(one -> one.digest().equals(content.manifest().digest()))
                .isPresent()) {
            return before.get();
        }
        var sent = sent(tx, origin, policy, content);
        UUID id;
        if (before.isPresent()) {
            requireOwn(origin, sent.pusher(), before.get(), content.manifest().digest());
            ReviewRows.replace(tx, before.get(), content.version(), sent, content.files());
            id = before.get().id();
        } else {
            requireRoom(tx, repository);
            int round = ReviewRows.last(tx, repository.id(), content.version())
                    .map(one -> one.round() + 1)
                    .orElse(1);
            id = ReviewRows.insert(tx, repository.id(), content.version(), round, sent, content.files());
        }
        ReviewRows.reasons(tx, id, content.reasons());
        var review = ReviewRows.find(tx, id).orElseThrow();
        PushScanRows.insert(tx, review, content.scanners());
        OutboxRows.emit(tx, origin, ReviewEnds.event(review, ReviewState.HELD));
        AuditRows.record(tx, origin, "version.hold", review.subject(), "round " + review.round());
        Repositories.announce(tx, repository.name());
        return review;
    }

    /// Notes that a rule approved a push, which is published in the same transaction and never waits.
    ///
    /// @param number that of the rule, from 1
    public static UUID approve(
            Tx tx, ChangeOrigin origin, Repository repository, ReviewPolicy policy, Content content, int number) {
        var sent = sent(tx, origin, policy, content);
        int round = ReviewRows.last(tx, repository.id(), content.version())
                .map(one -> one.round() + 1)
                .orElse(1);
        var id = ReviewRows.insert(tx, repository.id(), content.version(), round, sent, content.files());
        rule(tx, origin, ReviewRows.find(tx, id).orElseThrow(), policy, number);
        ReviewEnds.end(tx, origin, ReviewRows.find(tx, id).orElseThrow(), ReviewState.PUBLISHED);
        return id;
    }

    /// Notes that a rule approves a push.
    public static void rule(Tx tx, ChangeOrigin origin, Review review, ReviewPolicy policy, int number) {
        ReviewRows.ruled(tx, review, number, policy.auto().get(number - 1).words());
        AuditRows.record(
                tx, origin, "version.approve", review.subject(), ReviewRows.Decision.rule(number) + " of the policy");
    }

    private static ReviewRows.Sent sent(Tx tx, ChangeOrigin origin, ReviewPolicy policy, Content content) {
        var profile = content.profile();
        return new ReviewRows.Sent(
                content.manifest().digest(),
                content.manifest().id(),
                policy,
                content.files().stream().mapToLong(Asset::size).sum(),
                profile.name(),
                profile.description(),
                profile.readmeContent(),
                profile.readmeFormat(),
                content.visibility(),
                content.message(),
                String.join(
                        "\n",
                        content.tags().stream()
                                .map(tag -> tag.name() + " " + tag.stoodAt())
                                .toList()),
                RequirementRows.lines(content.requires()),
                origin.actor(),
                person(tx, origin.caller().credential()).orElse(null),
                tx.now().plus(policy.expires()),
                false);
    }

    /// Asks for the review of a version that is published. It stays so whatever people decide.
    ///
    /// @param actor who asks for it
    /// @param by 0 approvals to ask only scanners
    /// @throws ProblemException too-many-held
    public static Review request(
            Tx tx, String actor, BundleSnapshot bundle, VersionRow version, BundlePolicy policy, ReviewPolicy by) {
        var repository = bundle.repository();
        requireRoom(tx, repository);
        int round = ReviewRows.last(tx, repository.id(), version.version())
                .map(one -> one.round() + 1)
                .orElse(1);
        var files = AssetRows.list(tx, version.id()).stream()
                .map(StoredAsset::asset)
                .toList();
        var profile = bundle.bundle().profile();
        var sent = new ReviewRows.Sent(
                version.digest(),
                version.manifestId(),
                by,
                version.size(),
                profile.name(),
                profile.description(),
                null,
                null,
                bundle.visibility(),
                null,
                "",
                RequirementRows.lines(RequirementRows.list(tx, version.id())),
                actor,
                person(tx, version.publishedBy()).orElse(null),
                tx.now().plus(by.expires()),
                true);
        var id = ReviewRows.insert(tx, repository.id(), version.version(), round, sent, files);
        var review = ReviewRows.find(tx, id).orElseThrow();
        PushScanRows.insert(tx, review, policy.scanners());
        return review;
    }

    /// Returns the person behind an actor, as [#person(Tx, Credential)] does.
    private static Optional<UUID> person(Tx tx, @Nullable String actor) {
        if (actor != null && actor.startsWith("user:")) {
            return Optional.of(UUID.fromString(actor.substring("user:".length())));
        }
        return actor != null && actor.startsWith("key:")
                ? KeyLineage.person(tx, UUID.fromString(actor.substring("key:".length())))
                : Optional.empty();
    }

    /// Returns the person behind a credential: who signed in, or who created the key, or the key that created it.
    static Optional<UUID> person(Tx tx, Credential credential) {
        return switch (credential) {
            case Credential.Session session -> Optional.of(session.userId());
            case Credential.Key key -> KeyLineage.person(tx, key.id());
            case Credential.Run ignored -> Optional.empty();
            case Credential.Operator ignored -> Optional.empty();
            case Credential.Scanner ignored -> Optional.empty();
        };
    }

    private static void requireOwn(ChangeOrigin origin, @Nullable UUID pusher, Review before, Digest offered) {
        boolean isOwn = origin.actor().equals(before.pushedBy()) || (pusher != null && pusher.equals(before.pusher()));
        if (!isOwn && !origin.caller().scope().includes(Scope.ADMIN)) {
            throw new Problem.VersionHeld(before.ref(), before.version(), before.digest(), offered).raise();
        }
    }

    private static void requireRoom(Tx tx, Repository repository) {
        if (ReviewRows.countOpen(tx, repository.id()) >= MOST_OF_BUNDLE) {
            throw new Problem.TooManyHeld(repository.name().toString(), MOST_OF_BUNDLE).raise();
        }
        if (ReviewRows.countOpen(tx, repository.organizationId()) >= MOST_OF_ORGANIZATION) {
            throw new Problem.TooManyHeld("the organization", MOST_OF_ORGANIZATION).raise();
        }
    }
}
