package dev.sheaf.server.auth;

import dev.sheaf.model.key.Scope;
import java.util.UUID;

/// What authentication needs to know of a key.
public record KeyRecord(
        UUID id, UUID organizationId, String name, String hint, Scope scope, Restrictions restrictions, KeyLife life) {}
