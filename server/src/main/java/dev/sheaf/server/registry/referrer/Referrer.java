package dev.sheaf.server.registry.referrer;

import dev.sheaf.model.Digest;
import org.jspecify.annotations.Nullable;

/// A manifest that refers to another one (distribution-spec, "Listing Referrers").
///
/// @param artifactType as declared, else the config's media type; null for an index without one
/// @param size in bytes
/// @param annotations the manifest's own annotations as a JSON object; null if it has none
public record Referrer(
        Digest digest,
        String mediaType,
        @Nullable String artifactType,
        long size,
        @Nullable String annotations) {}
