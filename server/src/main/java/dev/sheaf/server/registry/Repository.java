package dev.sheaf.server.registry;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import java.util.UUID;

/// A repository at the time it was read.
///
/// @param hasRecalled whether it holds a manifest that is recalled, so that readers may not get all of its content
/// @param hasHeld whether it holds a manifest that waits for approval, or waited in vain
/// @param isReviewed whether a policy may ask for the approval of new versions
public record Repository(
        long id,
        RepositoryName name,
        UUID organizationId,
        Visibility visibility,
        boolean hasRecalled,
        boolean hasHeld,
        boolean isReviewed)
        implements Access.Target {
    /// Makes one in which nothing is recalled, held or reviewed.
    public Repository(long id, RepositoryName name, UUID organizationId, Visibility visibility) {
        this(id, name, organizationId, visibility, false, false, false);
    }

    /// Returns whether readers may get all of its content.
    public boolean isOpen() {
        return !hasRecalled && !hasHeld && !isReviewed;
    }

    /// Returns the same with another visibility.
    Repository with(Visibility other) {
        return new Repository(id, name, organizationId, other, hasRecalled, hasHeld, isReviewed);
    }
}
