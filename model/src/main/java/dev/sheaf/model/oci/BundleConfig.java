package dev.sheaf.model.oci;

import dev.sheaf.model.Requirement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The content of a bundle's config document (contract 4). The namespace, slug and version in the document are
/// left out: a manifest that is copied to another repository keeps its config.
public record BundleConfig(
        String name, @Nullable String description, List<OciPackaging.Asset> assets, List<Requirement> requires) {
    public BundleConfig {
        assets = List.copyOf(assets);
        requires = List.copyOf(requires);
    }
}
