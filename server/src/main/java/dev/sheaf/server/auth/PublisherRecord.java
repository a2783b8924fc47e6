package dev.sheaf.server.auth;

import java.util.UUID;

/// The properties of a trusted publisher that authentication needs: its organization, and the bundles that it
/// may write.
public record PublisherRecord(UUID id, UUID organizationId, CredentialRestrictions restrictions) {}
