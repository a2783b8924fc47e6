package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/// A manifest's reference to content (OCI image-spec, "OCI Content Descriptors").
///
/// @param size in bytes, at most [#MOST]
/// @param isForeign true for a non-distributable layer with `urls`, which a registry need not hold
public record Descriptor(
        String mediaType, Digest digest, long size, Map<String, String> annotations, boolean isForeign) {
    /// The largest integer that every JSON parser reads exactly (RFC 8259, section 6). The sizes in one
    /// manifest may not add up to more, so that they can be summed.
    public static final long MOST = (1L << 53) - 1;

    public Descriptor {
        annotations = copyOf(annotations);
    }

    /// Returns an unmodifiable copy. Keys that were chosen to collide would make that of [Map#copyOf] quadratic.
    public static Map<String, String> copyOf(Map<String, String> annotations) {
        return annotations.isEmpty() ? Map.of() : Collections.unmodifiableMap(new HashMap<>(annotations));
    }
}
