package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.registry.Descriptor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A manifest: its exact bytes, their digest, and its parsed content. Immutable.
public final class ManifestDocument {
    /// The content of a manifest. An image manifest has a config and layers; an index has manifests. The sizes
    /// add up to [Descriptor#MOST] at most.
    ///
    /// @param artifactType as declared; for referrers, the media type of the config replaces a missing one
    /// @param config null in an index
    public record Outline(
            String mediaType,
            @Nullable String artifactType,
            @Nullable Digest subject,
            @Nullable Descriptor config,
            List<Descriptor> layers,
            List<Descriptor> manifests,
            Map<String, String> annotations) {
        public Outline {
            layers = List.copyOf(layers);
            manifests = List.copyOf(manifests);
            annotations = Descriptor.copyOf(annotations);
            checkSizes(Stream.of(config == null ? List.<Descriptor>of() : List.of(config), layers, manifests)
                    .flatMap(List::stream)
                    .toList());
        }

        private static void checkSizes(List<Descriptor> descriptors) {
            long left = Descriptor.MOST;
            for (var descriptor : descriptors) {
                if (descriptor.size() < 0 || descriptor.size() > left) {
                    throw new Problem.ManifestInvalid("the sizes in a manifest must total at most " + Descriptor.MOST
                                    + " bytes, but with " + descriptor.digest() + " they total more")
                            .raise();
                }
                left -= descriptor.size();
            }
        }
    }

    private final byte[] bytes;
    private final Digest digest;
    private final Outline outline;

    private ManifestDocument(byte[] bytes, Digest digest, Outline outline) {
        this.bytes = bytes;
        this.digest = digest;
        this.outline = outline;
    }

    /// @param bytes used and not copied; must not change
    public static ManifestDocument of(Digest.Algorithm algorithm, byte[] bytes, Outline outline) {
        return new ManifestDocument(bytes, Digest.of(algorithm, bytes), outline);
    }

    /// Returns the bytes themselves, not a copy; do not change them.
    public byte[] bytes() {
        return bytes;
    }

    public Digest digest() {
        return digest;
    }

    public long size() {
        return bytes.length;
    }

    public String mediaType() {
        return outline.mediaType;
    }

    /// Returns the type for referrers: as declared, else the config's media type; empty for an index that
    /// declares none (distribution-spec, "Listing Referrers").
    public Optional<String> artifactType() {
        if (outline.artifactType != null) {
            return Optional.of(outline.artifactType);
        }
        return config().map(Descriptor::mediaType);
    }

    /// Returns the digest of the manifest that this one refers to, which need not exist.
    public Optional<Digest> subject() {
        return Optional.ofNullable(outline.subject);
    }

    public Optional<Descriptor> config() {
        return Optional.ofNullable(outline.config);
    }

    public List<Descriptor> layers() {
        return outline.layers;
    }

    /// Returns the descriptors that an index lists.
    public List<Descriptor> manifests() {
        return outline.manifests;
    }

    public Map<String, String> annotations() {
        return outline.annotations;
    }
}
