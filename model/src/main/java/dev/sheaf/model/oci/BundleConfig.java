package dev.sheaf.model.oci;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the config document of a bundle's manifest says (contract 4). The name and version that it was packed under
/// are left out: a manifest that is copied to another name keeps its config.
public record BundleConfig(String name, @Nullable String description, List<Packaging.Asset> assets) {
    public BundleConfig {
        assets = List.copyOf(assets);
    }
}
