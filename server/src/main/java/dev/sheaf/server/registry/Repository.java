package dev.sheaf.server.registry;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import java.util.UUID;

/// A repository at the time it was read.
public record Repository(long id, RepositoryName name, UUID organizationId, Visibility visibility)
        implements Access.Target {}
