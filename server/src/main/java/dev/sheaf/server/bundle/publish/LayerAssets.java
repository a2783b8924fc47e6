package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.registry.Descriptor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The layers of any manifest as assets.
public final class LayerAssets {
    private LayerAssets() {}

    /// Returns the layers as assets: named by their titles, or without a title by their digests, each content once.
    ///
    /// @throws ProblemException validation-failed, naming each title that is not a valid path; [PublishRules]
    /// checks for clashes
    static List<Asset> of(List<Descriptor> layers) {
        return of(layers, LogicalPath::parse);
    }

    /// Returns the layers of a manifest that was published, perhaps under older rules.
    public static List<Asset> ofStored(List<Descriptor> layers) {
        return of(layers, LogicalPath::ofStored);
    }

    private static List<Asset> of(List<Descriptor> layers, Function<String, LogicalPath> paths) {
        var assets = new ArrayList<Asset>();
        var errors = new ArrayList<Problem.FieldError>();
        Set<Digest> untitled = new HashSet<>();
        for (int i = 0; i < layers.size(); i++) {
            var layer = layers.get(i);
            var title = layer.annotations().get(OciPackaging.TITLE);
            if (title != null) {
                ProblemException.check("/layers/" + i, () -> assets.add(asset(paths.apply(title), layer)))
                        .ifPresent(wrong -> errors.addAll(wrong.errors()));
            } else if (untitled.add(layer.digest())) {
                assets.add(asset(new LogicalPath(layer.digest().toString().replace(':', '-')), layer));
            }
        }
        if (!errors.isEmpty()) {
            throw new Problem.ValidationFailed(errors).raise();
        }
        return assets;
    }

    static Optional<String> title(Descriptor layer) {
        return Optional.ofNullable(layer.annotations().get(OciPackaging.TITLE));
    }

    private static Asset asset(LogicalPath path, Descriptor layer) {
        return new Asset(
                path,
                AssetType.infer(path),
                null,
                layer.digest(),
                layer.size(),
                layer.mediaType(),
                OciPackaging.isExecutable(layer.annotations()));
    }
}
