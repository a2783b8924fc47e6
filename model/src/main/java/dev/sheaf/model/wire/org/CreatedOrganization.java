package dev.sheaf.model.wire.org;

import dev.sheaf.model.wire.key.ApiKey;
import java.time.Instant;
import java.util.UUID;

/// An organization that was just made (contract 5.5).
///
/// @param adminKey its one key, with its secret in this answer and never again
public record CreatedOrganization(UUID id, String handle, String name, Instant createdAt, ApiKey adminKey) {
    public static CreatedOrganization of(Organization organization, ApiKey adminKey) {
        return new CreatedOrganization(
                organization.id(), organization.handle(), organization.name(), organization.createdAt(), adminKey);
    }

    /// The same without the secret.
    public CreatedOrganization withoutKey() {
        return new CreatedOrganization(id, handle, name, createdAt, adminKey.withKey(null));
    }
}
