package dev.sheaf.server.auth;

import java.util.UUID;

/// What authentication needs to know of a trusted publisher: its organization, and the bundles it may write.
public record PublisherRecord(UUID id, UUID organizationId, Restrictions restrictions) {}
