package dev.sheaf.server.event;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/// Something that happened. Its name on the wire is the dotted word; members are added and never renamed.
public sealed interface Event
        permits Event.AboutBundle,
                Event.OfPerson,
                Event.OfOrganization,
                Event.OfNamespace,
                Event.OfKey,
                Event.OfPublisher,
                Event.OfBlob,
                Event.AccessTokenLeaked,
                Event.KeyPolicyChanged,
                OfWebhook,
                JobEnded {
    /// Returns the name that subscribers see, derived from the record: `api_key.created` for ApiKeyCreated.
    default String type() {
        return EventNames.of(getClass().getSimpleName());
    }

    /// Returns the object of the event.
    String subject();

    /// The members of the organization who may see the event.
    enum Audience {
        READ,
        /// Those who may write to the bundle.
        WRITE,
        ADMIN;

        /// Returns the name in rows.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    default Audience audience() {
        return this instanceof AboutBundle ? Audience.READ : Audience.ADMIN;
    }

    /// An event of a bundle or of something in it.
    sealed interface AboutBundle extends Event {
        String bundle();
    }

    /// An event that followers of the hub see if the bundle was public.
    sealed interface OfHub extends AboutBundle {}

    /// An event of a person.
    sealed interface OfPerson extends Event {
        String email();

        @Override
        default String subject() {
            return email();
        }
    }

    /// An event of an organization.
    sealed interface OfOrganization extends Event {
        String handle();

        @Override
        default String subject() {
            return handle();
        }
    }

    /// An event of a namespace.
    sealed interface OfNamespace extends Event {
        String namespace();

        @Override
        default String subject() {
            return namespace();
        }
    }

    /// An event of an API key.
    sealed interface OfKey extends Event {
        UUID keyId();

        @Override
        default String subject() {
            return keyId().toString();
        }
    }

    /// An event of a trusted publisher.
    sealed interface OfPublisher extends Event {
        UUID publisherId();

        @Override
        default String subject() {
            return publisherId().toString();
        }
    }

    /// An event of a bundle as a whole.
    sealed interface OfBundle extends AboutBundle {
        @Override
        default String subject() {
            return bundle();
        }
    }

    /// An event of a version.
    sealed interface OfVersion extends AboutBundle {
        String version();

        @Override
        default String subject() {
            return bundle() + ":" + version();
        }
    }

    /// An event of a version that no reader may see yet.
    sealed interface OfReview extends OfVersion {
        @Override
        default Audience audience() {
            return Audience.WRITE;
        }
    }

    /// An event of a tag.
    sealed interface OfTag extends AboutBundle {
        String tag();

        @Override
        default String subject() {
            return bundle() + ":" + tag();
        }
    }

    /// An event of a manifest.
    sealed interface OfManifest extends AboutBundle {
        String digest();

        @Override
        default String subject() {
            return bundle() + "@" + digest();
        }
    }

    /// An event of a blob.
    sealed interface OfBlob extends Event {
        String digest();

        @Override
        default String subject() {
            return digest();
        }
    }

    record NamespaceClaimed(String namespace) implements OfNamespace {}

    record OrganizationCreated(UUID organizationId, String handle) implements OfOrganization {}

    record OrganizationUpdated(UUID organizationId, String handle, String name) implements OfOrganization {}

    record InvitationCreated(UUID invitationId, String email, String role) implements OfPerson {}

    record MemberJoined(UUID userId, String email, String role) implements OfPerson {}

    record MemberChanged(UUID userId, String email, String role) implements OfPerson {}

    record MemberRemoved(UUID userId, String email) implements OfPerson {}

    record UserTotpChanged(UUID userId, String email, boolean enabled) implements OfPerson {
        @Override
        public String type() {
            return enabled ? "user.totp_enabled" : "user.totp_disabled";
        }
    }

    record TransferOffered(UUID transferId, String namespace, String from, String to) implements OfNamespace {}

    /// @param outcome one of [#OUTCOMES]
    record TransferEnded(UUID transferId, String namespace, String from, String to, String outcome)
            implements OfNamespace {
        static final Set<String> OUTCOMES = Set.of("accepted", "declined", "cancelled");

        public TransferEnded {
            if (!OUTCOMES.contains(outcome)) {
                throw new IllegalArgumentException(outcome); // it becomes part of the event's name
            }
        }

        @Override
        public String type() {
            return "transfer." + outcome;
        }
    }

    record ApiKeyCreated(UUID keyId, String name, String scope) implements OfKey {}

    record ApiKeyRevoked(UUID keyId, String name, String reason) implements OfKey {}

    record TrustedPublisherCreated(UUID publisherId, String provider, String issuer) implements OfPublisher {}

    record TrustedPublisherDeleted(UUID publisherId) implements OfPublisher {}

    record ApiKeyUpdated(UUID keyId, String name, String state) implements OfKey {}

    /// @param retiresAt when the old key stops working
    record ApiKeyRotated(UUID keyId, String name, UUID replacedBy, String retiresAt) implements OfKey {}

    /// The secret of a key was reported as leaked, and the key was revoked immediately.
    ///
    /// @param state the state of the key before
    record ApiKeyLeaked(UUID keyId, String name, String hint, String state) implements OfKey {}

    /// @param daysLeft 14 or 3
    record ApiKeyExpiring(UUID keyId, String name, String expiresAt, int daysLeft) implements OfKey {}

    record ApiKeyExpired(UUID keyId, String name, String expiredAt) implements OfKey {}

    /// A valid access token or a refresh token was reported as leaked and revoked immediately.
    ///
    /// @param tokenId the token's id; for a refresh token the id of its session
    /// @param madeFor the subject, such as `key:` and an id
    record AccessTokenLeaked(String tokenId, String madeFor) implements Event {
        @Override
        public String subject() {
            return tokenId;
        }
    }

    record KeyPolicyChanged(String organization) implements Event {
        @Override
        public String subject() {
            return organization;
        }
    }

    record BundleCreated(UUID bundleId, String bundle, String visibility) implements OfBundle {}

    record VersionPublished(UUID bundleId, UUID versionId, String bundle, String version, String digest)
            implements OfVersion, OfHub {}

    /// @param purged whether the blobs were deleted immediately
    record VersionDeleted(
            UUID bundleId, UUID versionId, String bundle, String version, String digest, String reason, boolean purged)
            implements OfVersion, OfHub {}

    record VersionYanked(UUID bundleId, UUID versionId, String bundle, String version, String reason)
            implements OfVersion, OfHub {}

    record VersionUnyanked(UUID bundleId, UUID versionId, String bundle, String version) implements OfVersion, OfHub {}

    record VersionRecalled(UUID bundleId, UUID versionId, String bundle, String version, String digest, String severity)
            implements OfVersion, OfHub {}

    record VersionUnrecalled(UUID bundleId, UUID versionId, String bundle, String version, String digest)
            implements OfVersion, OfHub {}

    /// Reading a version, or reading it again by newer rules, found worse than was known.
    ///
    /// @param worst the severity of the worst finding
    /// @param findings how many there are from `medium` on
    record VersionScanned(
            UUID bundleId, UUID versionId, String bundle, String version, String digest, String worst, int findings)
            implements OfVersion {}

    record VersionHeld(UUID reviewId, String bundle, String version, String digest) implements OfReview {}

    record VersionApproved(UUID reviewId, String bundle, String version, String digest) implements OfReview {}

    record VersionRejected(UUID reviewId, String bundle, String version, String digest) implements OfReview {}

    record VersionWithdrawn(UUID reviewId, String bundle, String version, String digest) implements OfReview {}

    record VersionExpired(UUID reviewId, String bundle, String version, String digest) implements OfReview {}

    /// @param expiresAt when its number is free again if nobody decides
    record VersionExpiring(UUID reviewId, String bundle, String version, String digest, String expiresAt)
            implements OfReview {}

    /// @param bundle empty for the policy of the namespace
    record PolicyChanged(String namespace, String bundle) implements OfNamespace {}

    record VersionDeprecated(UUID bundleId, UUID versionId, String bundle, String version, String message)
            implements OfVersion, OfHub {}

    record VersionUndeprecated(UUID bundleId, UUID versionId, String bundle, String version)
            implements OfVersion, OfHub {}

    /// A version that a bundle requires was yanked, recalled or deleted.
    ///
    /// @param versionId the newest version of the bundle that requires it, whose number is `version`
    /// @param changedId the id of the version that changed; of the bundle if that was deleted
    /// @param cause `yanked`, `recalled` or `deleted`
    record DependencyAffected(
            UUID bundleId, UUID versionId, String bundle, String version, UUID changedId, String cause)
            implements OfVersion {}

    record BundleUpdated(UUID bundleId, String bundle, String visibility) implements OfBundle {}

    record BundleDeleted(UUID bundleId, String bundle, String reason) implements OfBundle, OfHub {}

    record BundleRestored(UUID bundleId, String bundle) implements OfBundle, OfHub {}

    record BundleDeprecated(UUID bundleId, String bundle, String message) implements OfBundle, OfHub {}

    record BundleUndeprecated(UUID bundleId, String bundle) implements OfBundle, OfHub {}

    /// The hub lists the bundle from now on: it is public and has a version.
    record BundleListed(String bundle) implements OfBundle, OfHub {}

    /// The hub no longer lists the bundle.
    record BundleWithdrawn(String bundle) implements OfBundle, OfHub {}

    record TagMoved(String bundle, String tag, String digest) implements OfTag, OfHub {}

    record TagUnpinned(String bundle, String tag) implements OfTag, OfHub {}

    record TagDeleted(String bundle, String tag, String digest) implements OfTag, OfHub {}

    record ManifestDeleted(String bundle, String digest) implements OfManifest, OfHub {}

    /// Stored bytes do not match their digest; the next push of the digest repairs them.
    ///
    /// @param repositories the organization's repositories that hold the blob, at most 100
    /// @param repositoryCount the number of all of them
    record BlobDamaged(String digest, List<String> repositories, int repositoryCount, String reason) implements OfBlob {
        public BlobDamaged {
            repositories = List.copyOf(repositories);
        }
    }

    record BlobHealed(String digest, List<String> repositories, int repositoryCount, String reason) implements OfBlob {
        public BlobHealed {
            repositories = List.copyOf(repositories);
        }
    }

    record ManifestDamaged(String bundle, String digest, String reason) implements OfManifest {}

    record ManifestHealed(String bundle, String digest, String reason) implements OfManifest {}
}
