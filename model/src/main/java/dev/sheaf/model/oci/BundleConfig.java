package dev.sheaf.model.oci;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The config document of a bundle's manifest (contract 4), read back.
public record BundleConfig(
        RepositoryName repository,
        Version version,
        String name,
        @Nullable String description,
        List<Packaging.Asset> assets) {
    public BundleConfig {
        assets = List.copyOf(assets);
    }
}
