package dev.sheaf.model.wire.org;

import dev.sheaf.model.wire.key.ApiKey;
import java.time.Instant;
import java.util.UUID;

/// A newly created organization (contract 5.5).
///
/// @param adminKey the organization's only key; only the response that creates it contains the secret
public record CreatedOrganization(UUID id, String handle, String name, Instant createdAt, ApiKey adminKey) {
    /// Returns an organization with its first key.
    public static CreatedOrganization of(Organization organization, ApiKey adminKey) {
        return new CreatedOrganization(
                organization.id(), organization.handle(), organization.name(), organization.createdAt(), adminKey);
    }

    /// Returns a copy without the secret.
    public CreatedOrganization withoutKey() {
        return new CreatedOrganization(id, handle, name, createdAt, adminKey.withKey(null));
    }
}
