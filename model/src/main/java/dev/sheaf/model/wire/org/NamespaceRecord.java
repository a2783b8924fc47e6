package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.UUID;

/// A namespace and the organization that owns it.
///
/// @param skillsIndex whether the skills of the whole namespace can be listed; the skills of a single bundle
/// always can
public record NamespaceRecord(
        String handle, String displayName, UUID organizationId, Instant createdAt, boolean skillsIndex) {}
