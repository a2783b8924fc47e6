package dev.sheaf.server.bundle;

import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.Quotas;
import dev.sheaf.server.registry.Blobs;
import dev.sheaf.server.registry.Manifests;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Tags;

/// The parts of organizations and of the registry that publishing writes to.
public record Stores(
        Namespaces namespaces,
        Quotas quotas,
        Repositories repositories,
        Blobs blobs,
        Manifests manifests,
        Tags tags) {}
