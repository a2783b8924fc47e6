package dev.sheaf.server.registry;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import java.util.UUID;

/// A repository at the time it was read.
///
/// @param hasRecalled whether it holds a manifest that is recalled, so that readers may not get all of its content
public record Repository(long id, RepositoryName name, UUID organizationId, Visibility visibility, boolean hasRecalled)
        implements Access.Target {}
