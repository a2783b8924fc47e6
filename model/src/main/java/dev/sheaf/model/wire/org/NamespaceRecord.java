package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.UUID;

/// A namespace and the organization that owns it.
public record NamespaceRecord(String handle, String displayName, UUID organizationId, Instant createdAt) {}
