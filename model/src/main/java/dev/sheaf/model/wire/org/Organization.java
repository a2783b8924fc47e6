package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.UUID;

/// An organization, the owner of namespaces and keys.
public record Organization(UUID id, String handle, String name, Instant createdAt) {}
