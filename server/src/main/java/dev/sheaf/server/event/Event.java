package dev.sheaf.server.event;

import java.util.List;
import java.util.UUID;

/// Something that happened. The name on the wire is the dotted word; members are added, never renamed.
public sealed interface Event {
    record NamespaceClaimed(String namespace) implements Event {}

    record OrganizationCreated(UUID organizationId, String handle) implements Event {}

    record OrganizationUpdated(UUID organizationId, String handle, String name) implements Event {}

    record InvitationCreated(UUID invitationId, String email, String role) implements Event {}

    record MemberJoined(UUID userId, String email, String role) implements Event {}

    record MemberChanged(UUID userId, String email, String role) implements Event {}

    record MemberRemoved(UUID userId, String email) implements Event {}

    record UserTotpChanged(UUID userId, String email, boolean enabled) implements Event {}

    record TransferOffered(UUID transferId, String namespace, String from, String to) implements Event {}

    /// @param outcome accepted, declined or cancelled
    record TransferEnded(UUID transferId, String namespace, String from, String to, String outcome) implements Event {}

    record ApiKeyCreated(UUID keyId, String name, String scope) implements Event {}

    record ApiKeyRevoked(UUID keyId, String name, String reason) implements Event {}

    record TrustedPublisherCreated(UUID publisherId, String provider, String issuer) implements Event {}

    record TrustedPublisherDeleted(UUID publisherId) implements Event {}

    record ApiKeyUpdated(UUID keyId, String name, String state) implements Event {}

    /// @param retiresAt when the old key stops to work
    record ApiKeyRotated(UUID keyId, String name, UUID replacedBy, String retiresAt) implements Event {}

    /// Somebody showed us the secret of a key, which was revoked at once.
    ///
    /// @param state of the key before that
    record ApiKeyLeaked(UUID keyId, String name, String hint, String state) implements Event {}

    /// @param daysLeft 14 or 3, the step that was reached
    record ApiKeyExpiring(UUID keyId, String name, String expiresAt, int daysLeft) implements Event {}

    record ApiKeyExpired(UUID keyId, String name, String expiredAt) implements Event {}

    /// Somebody showed us an access token that was still good, and was ended at once.
    ///
    /// @param subject whom it was made for, such as `key:` and an id
    record AccessTokenLeaked(String tokenId, String subject) implements Event {}

    record KeyPolicyChanged(String organization) implements Event {}

    record BundleCreated(UUID bundleId, String bundle, String visibility) implements Event {}

    record VersionPublished(UUID bundleId, UUID versionId, String bundle, String version, String digest)
            implements Event {}

    /// @param purged whether the bytes went at once
    record VersionDeleted(
            UUID bundleId, UUID versionId, String bundle, String version, String digest, String reason, boolean purged)
            implements Event {}

    record VersionYanked(UUID bundleId, UUID versionId, String bundle, String version, String reason)
            implements Event {}

    record VersionUnyanked(UUID bundleId, UUID versionId, String bundle, String version) implements Event {}

    record VersionDeprecated(UUID bundleId, UUID versionId, String bundle, String version, String message)
            implements Event {}

    record VersionUndeprecated(UUID bundleId, UUID versionId, String bundle, String version) implements Event {}

    record BundleUpdated(UUID bundleId, String bundle, String visibility) implements Event {}

    record BundleDeleted(UUID bundleId, String bundle, String reason) implements Event {}

    record BundleRestored(UUID bundleId, String bundle) implements Event {}

    record BundleDeprecated(UUID bundleId, String bundle, String message) implements Event {}

    record BundleUndeprecated(UUID bundleId, String bundle) implements Event {}

    record TagMoved(String bundle, String tag, String digest) implements Event {}

    record TagUnpinned(String bundle, String tag) implements Event {}

    record TagDeleted(String bundle, String tag, String digest) implements Event {}

    record ManifestDeleted(String bundle, String digest) implements Event {}

    /// Stored bytes are not what their digest says; the next push of the digest heals them.
    ///
    /// @param repositories the organization's own that hold the blob, the first hundred
    /// @param repositoryCount all of them
    record BlobDamaged(String digest, List<String> repositories, int repositoryCount, String reason) implements Event {
        public BlobDamaged {
            repositories = List.copyOf(repositories);
        }
    }

    record BlobHealed(String digest, List<String> repositories, int repositoryCount, String reason) implements Event {
        public BlobHealed {
            repositories = List.copyOf(repositories);
        }
    }

    record ManifestDamaged(String bundle, String digest, String reason) implements Event {}

    record ManifestHealed(String bundle, String digest, String reason) implements Event {}

    /// The name under which subscribers know it.
    default String type() {
        return switch (this) {
            case NamespaceClaimed e -> "namespace.claimed";
            case OrganizationCreated e -> "organization.created";
            case OrganizationUpdated e -> "organization.updated";
            case InvitationCreated e -> "invitation.created";
            case MemberJoined e -> "member.joined";
            case MemberChanged e -> "member.changed";
            case MemberRemoved e -> "member.removed";
            case UserTotpChanged e -> e.enabled() ? "user.totp_enabled" : "user.totp_disabled";
            case TransferOffered e -> "transfer.offered";
            case TransferEnded e -> "transfer." + e.outcome();
            case ApiKeyCreated e -> "api_key.created";
            case ApiKeyRevoked e -> "api_key.revoked";
            case TrustedPublisherCreated e -> "trusted_publisher.created";
            case TrustedPublisherDeleted e -> "trusted_publisher.deleted";
            case ApiKeyUpdated e -> "api_key.updated";
            case ApiKeyRotated e -> "api_key.rotated";
            case ApiKeyLeaked e -> "api_key.leaked";
            case ApiKeyExpiring e -> "api_key.expiring";
            case ApiKeyExpired e -> "api_key.expired";
            case AccessTokenLeaked e -> "access_token.leaked";
            case KeyPolicyChanged e -> "key_policy.changed";
            case BundleCreated e -> "bundle.created";
            case VersionPublished e -> "version.published";
            case VersionDeleted e -> "version.deleted";
            case VersionYanked e -> "version.yanked";
            case VersionUnyanked e -> "version.unyanked";
            case VersionDeprecated e -> "version.deprecated";
            case VersionUndeprecated e -> "version.undeprecated";
            case BundleUpdated e -> "bundle.updated";
            case BundleDeleted e -> "bundle.deleted";
            case BundleRestored e -> "bundle.restored";
            case BundleDeprecated e -> "bundle.deprecated";
            case BundleUndeprecated e -> "bundle.undeprecated";
            case TagMoved e -> "tag.moved";
            case TagUnpinned e -> "tag.unpinned";
            case TagDeleted e -> "tag.deleted";
            case ManifestDeleted e -> "manifest.deleted";
            case BlobDamaged e -> "blob.damaged";
            case BlobHealed e -> "blob.healed";
            case ManifestDamaged e -> "manifest.damaged";
            case ManifestHealed e -> "manifest.healed";
        };
    }

    /// What it happened to.
    default String subject() {
        return switch (this) {
            case NamespaceClaimed e -> e.namespace();
            case OrganizationCreated e -> e.handle();
            case OrganizationUpdated e -> e.handle();
            case InvitationCreated e -> e.email();
            case MemberJoined e -> e.email();
            case MemberChanged e -> e.email();
            case MemberRemoved e -> e.email();
            case UserTotpChanged e -> e.email();
            case TransferOffered e -> e.namespace();
            case TransferEnded e -> e.namespace();
            case ApiKeyCreated e -> e.keyId().toString();
            case ApiKeyRevoked e -> e.keyId().toString();
            case TrustedPublisherCreated e -> e.publisherId().toString();
            case TrustedPublisherDeleted e -> e.publisherId().toString();
            case ApiKeyUpdated e -> e.keyId().toString();
            case ApiKeyRotated e -> e.keyId().toString();
            case ApiKeyLeaked e -> e.keyId().toString();
            case ApiKeyExpiring e -> e.keyId().toString();
            case ApiKeyExpired e -> e.keyId().toString();
            case AccessTokenLeaked e -> e.tokenId();
            case KeyPolicyChanged e -> e.organization();
            case BundleCreated e -> e.bundle();
            case VersionPublished e -> e.bundle() + ":" + e.version();
            case VersionDeleted e -> e.bundle() + ":" + e.version();
            case VersionYanked e -> e.bundle() + ":" + e.version();
            case VersionUnyanked e -> e.bundle() + ":" + e.version();
            case VersionDeprecated e -> e.bundle() + ":" + e.version();
            case VersionUndeprecated e -> e.bundle() + ":" + e.version();
            case BundleUpdated e -> e.bundle();
            case BundleDeleted e -> e.bundle();
            case BundleRestored e -> e.bundle();
            case BundleDeprecated e -> e.bundle();
            case BundleUndeprecated e -> e.bundle();
            case TagMoved e -> e.bundle() + ":" + e.tag();
            case TagUnpinned e -> e.bundle() + ":" + e.tag();
            case TagDeleted e -> e.bundle() + ":" + e.tag();
            case ManifestDeleted e -> e.bundle() + "@" + e.digest();
            case BlobDamaged e -> e.digest();
            case BlobHealed e -> e.digest();
            case ManifestDamaged e -> e.bundle() + "@" + e.digest();
            case ManifestHealed e -> e.bundle() + "@" + e.digest();
        };
    }
}
