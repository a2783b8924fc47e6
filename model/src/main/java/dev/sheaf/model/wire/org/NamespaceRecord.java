package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.UUID;

/// A namespace and the organization that owns it.
///
/// @param skillsIndex whether clients that ask for all skills of the namespace get them; those of a bundle they
/// get anyway
public record NamespaceRecord(
        String handle, String displayName, UUID organizationId, Instant createdAt, boolean skillsIndex) {}
