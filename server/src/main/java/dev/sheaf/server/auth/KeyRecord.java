package dev.sheaf.server.auth;

import dev.sheaf.model.key.Scope;
import java.util.UUID;

/// The properties of a key that authentication needs.
public record KeyRecord(
        UUID id,
        UUID organizationId,
        String name,
        String hint,
        Scope scope,
        CredentialRestrictions restrictions,
        KeyLife life) {}
