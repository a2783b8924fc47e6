package dev.sheaf.client.oci;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ByHand;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.archive.PackedFiles;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.OciPackaging;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The layers of an OCI manifest (image-spec 1.1). A pull does not need its config.
///
/// @param isIndex whether it lists manifests instead of layers
public record OciManifest(List<Layer> layers, boolean isIndex) {
    /// The longest manifest that a Sheaf registry accepts (contract 6), in bytes.
    public static final int LONGEST = 4 << 20;

    static final String ACCEPT = String.join(
            ", ", MediaType.IMAGE_MANIFEST, MediaType.IMAGE_INDEX, MediaType.DOCKER_MANIFEST, MediaType.DOCKER_LIST);

    /// @param title the name of the layer's file in the manifest, unchecked
    /// @param executable whether the manifest marks the file as executable
    /// @param packed whether the layer is an archive of files, by its type or annotations
    public record Layer(Blob blob, @Nullable String title, boolean executable, boolean packed) {
        /// Returns the path of its file: its title if that is a valid path, else its digest.
        String name() {
            var path = path();
            return path == null ? nameByDigest() : path.value();
        }

        /// Returns the title if it is a valid path, else null.
        @Nullable
        LogicalPath path() {
            try {
                return title == null ? null : new LogicalPath(title);
            } catch (ProblemException e) {
                return null;
            }
        }

        /// Returns the name of its file if it has no title.
        public String nameByDigest() {
            return blob.digest().toString().replace(':', '-');
        }
    }

    public OciManifest {
        layers = List.copyOf(layers);
    }

    /// Parses a manifest whose digest has been checked.
    public static OciManifest parse(byte[] json) {
        return ByHand.read(WireJson.document(json, "manifest"), "manifest", document -> {
            var layers = ByHand.list(document, "layers", OciManifest::layer);
            return new OciManifest(layers == null ? List.of() : layers, document.hasNonNull("manifests"));
        });
    }

    private static Layer layer(JsonNode descriptor) {
        try {
            var digest = Digest.parse(WireJson.present(ByHand.text(descriptor, "digest"), "the digest of a layer"));
            String title = ByHand.object(
                    descriptor, "annotations", annotations -> ByHand.text(annotations, OciPackaging.TITLE));
            String executable = ByHand.object(
                    descriptor, "annotations", annotations -> ByHand.text(annotations, OciPackaging.EXECUTABLE));
            return new Layer(
                    new Blob(digest, ByHand.number(descriptor, "size")),
                    title,
                    "true".equals(executable),
                    isPacked(descriptor));
        } catch (ProblemException e) {
            throw new SheafException.Integrity("the manifest has a malformed layer: " + e.getMessage());
        }
    }

    private static boolean isPacked(JsonNode descriptor) {
        String type = ByHand.text(descriptor, "mediaType");
        String unpack =
                ByHand.object(descriptor, "annotations", annotations -> ByHand.text(annotations, PackedFiles.UNPACK));
        return PackedFiles.isPacked(
                type == null ? "" : type, unpack == null ? Map.of() : Map.of(PackedFiles.UNPACK, unpack));
    }

    /// Returns the only layer if it is an archive; otherwise null.
    public @Nullable Blob archive() {
        return layers.size() == 1 && layers.getFirst().packed()
                ? layers.getFirst().blob()
                : null;
    }

    /// Checks that the layers are the assets of the resolve answer: each layer has its asset and each asset its
    /// layer. A layer matches the asset whose path is its title. It matches by digest, as in the registry, if
    /// it has no title (in manifests by other programs), or if its title differs from an earlier one only in
    /// case.
    ///
    /// @return the assets with the modes in the manifest
    /// @throws SheafException.Integrity if they differ
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
