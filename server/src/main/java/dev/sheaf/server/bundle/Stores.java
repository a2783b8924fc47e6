package dev.sheaf.server.bundle;

import dev.sheaf.server.org.quota.Quotas;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.tag.Tags;

/// The parts of organizations and of the registry that publishing writes to.
public record Stores(Quotas quotas, Repositories repositories, Blobs blobs, Manifests manifests, Tags tags) {}
