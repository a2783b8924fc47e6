package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import java.util.Map;

/// How a manifest names content (OCI image-spec, "OCI Content Descriptors").
///
/// @param size in bytes
/// @param isForeign true for a non-distributable layer with `urls`, which a registry need not hold
public record Descriptor(
        String mediaType, Digest digest, long size, Map<String, String> annotations, boolean isForeign) {
    public Descriptor {
        annotations = Map.copyOf(annotations);
    }
}
