package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import java.util.Map;

/// How a manifest names content (OCI image-spec, "OCI Content Descriptors").
///
/// @param size in bytes, at most [#MOST]
/// @param isForeign true for a non-distributable layer with `urls`, which a registry need not hold
public record Descriptor(
        String mediaType, Digest digest, long size, Map<String, String> annotations, boolean isForeign) {
    /// What every reader of JSON takes for the same number (RFC 8259, 6). All that one manifest names has no more
    /// together, so that what it comes to can be added up.
    public static final long MOST = (1L << 53) - 1;

    public Descriptor {
        annotations = Map.copyOf(annotations);
    }
}
