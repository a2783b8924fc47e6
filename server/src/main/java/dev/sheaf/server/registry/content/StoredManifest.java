package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;

/// A manifest that a repository holds from now on, or held already.
public record StoredManifest(long id, Digest digest) {}
