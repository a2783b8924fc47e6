package dev.sheaf.client.oci;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ByHand;
import dev.sheaf.client.io.Json;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.archive.PackedFiles;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.Packaging;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a pull reads from an OCI manifest: its layers (image-spec 1.1). The config is of no use to it.
///
/// @param isIndex whether it lists manifests instead
public record OciManifest(List<Layer> layers, boolean isIndex) {
    /// The most that a registry of this kind stores (contract 6).
    public static final int LONGEST = 4 << 20;

    static final String ACCEPT = String.join(
            ", ", MediaType.IMAGE_MANIFEST, MediaType.IMAGE_INDEX, MediaType.DOCKER_MANIFEST, MediaType.DOCKER_LIST);

    /// @param title what the manifest names the layer's file, which may be anything
    /// @param executable whether it says that the file is executable; it says nothing of others
    /// @param packed whether it is an archive of files, by its type or by what it says of itself
    public record Layer(Blob blob, @Nullable String title, boolean executable, boolean packed) {
        /// The path of its file: its title, else its digest.
        String name() {
            var path = path();
            return path == null ? nameByDigest() : path.value();
        }

        /// The title where it is a path, else null.
        @Nullable
        LogicalPath path() {
            try {
                return title == null ? null : new LogicalPath(title);
            } catch (ProblemException e) {
                return null;
            }
        }

        /// What its file is called without a title.
        public String nameByDigest() {
            return blob.digest().toString().replace(':', '-');
        }
    }

    public OciManifest {
        layers = List.copyOf(layers);
    }

    /// Reads bytes whose digest has been checked.
    public static OciManifest parse(byte[] json) {
        return ByHand.read(Json.document(json, "manifest"), "manifest", document -> {
            var layers = ByHand.list(document, "layers", OciManifest::layer);
            return new OciManifest(layers == null ? List.of() : layers, document.hasNonNull("manifests"));
        });
    }

    private static Layer layer(JsonNode descriptor) {
        try {
            var digest = Digest.parse(Json.present(ByHand.text(descriptor, "digest"), "the digest of a layer"));
            String title =
                    ByHand.object(descriptor, "annotations", annotations -> ByHand.text(annotations, Packaging.TITLE));
            String executable = ByHand.object(
                    descriptor, "annotations", annotations -> ByHand.text(annotations, Packaging.EXECUTABLE));
            return new Layer(
                    new Blob(digest, ByHand.number(descriptor, "size")),
                    title,
                    "true".equals(executable),
                    isPacked(descriptor));
        } catch (ProblemException e) {
            throw new SheafException.Integrity("the manifest has a layer that cannot be read: " + e.getMessage());
        }
    }

    private static boolean isPacked(JsonNode descriptor) {
        String type = ByHand.text(descriptor, "mediaType");
        String unpack =
                ByHand.object(descriptor, "annotations", annotations -> ByHand.text(annotations, PackedFiles.UNPACK));
        return PackedFiles.isPacked(
                type == null ? "" : type, unpack == null ? Map.of() : Map.of(PackedFiles.UNPACK, unpack));
    }

    /// The layer that is an archive and all that there is; null where there are others, or it is none.
    public @Nullable Blob archive() {
        return layers.size() == 1 && layers.getFirst().packed()
                ? layers.getFirst().blob()
                : null;
    }

    /// Checks that these layers are the assets that resolve answered: each titled layer is the asset of that path,
    /// and nothing is left over on either side. A layer without (foreign manifests) goes by its digest, and so does
    /// one whose title is an earlier one's but for case, as a registry names it.
    ///
    /// @return the assets with their modes, of which this tells, and its digest proves, which are executable
    /// @throws SheafException.Integrity where they differ
    public List<Asset> checkHolds(List<Asset> assets) {
        var unmatched = new LinkedHashMap<String, Blob>();
        assets.forEach(asset -> unmatched.put(asset.path().value(), asset.blob()));
        var blobs = Set.copyOf(unmatched.values());
        var taken = new HashSet<String>();
        var byDigest = new ArrayList<Layer>();
        for (Layer layer : layers) {
            var title = layer.path();
            if (title == null || !taken.add(title.folded())) {
                byDigest.add(layer);
            } else if (!layer.blob().equals(unmatched.remove(title.value()))) {
                throw disagrees(title.value());
            }
        }
        for (Layer layer : byDigest) {
            if (!unmatched.values().remove(layer.blob()) && !blobs.contains(layer.blob())) {
                throw disagrees(layer.blob().digest().toString());
            }
        }
        if (!unmatched.isEmpty()) {
            throw disagrees(unmatched.keySet().iterator().next());
        }
        var executable =
                layers.stream().filter(Layer::executable).map(Layer::name).collect(Collectors.toSet());
        return assets.stream()
                .map(asset -> withMode(asset, executable.contains(asset.path().value())))
                .toList();
    }

    private static Asset withMode(Asset asset, boolean executable) {
        if (asset.executable() != null && asset.executable() != executable) {
            throw disagrees("whether " + asset.path() + " is executable");
        }
        return executable ? asset.executable(true) : asset;
    }

    private static SheafException disagrees(String layer) {
        return new SheafException.Integrity("the manifest disagrees with the resolve answer about " + layer);
    }
}
