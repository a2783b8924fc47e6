package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;

/// A manifest that was stored now or before.
public record StoredManifest(long id, Digest digest) {}
