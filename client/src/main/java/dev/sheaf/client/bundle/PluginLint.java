package dev.sheaf.client.bundle;

import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.Version;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.plugin.PluginRules;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks the plugin among the files of a bundle by the same rules as a registry.
final class PluginLint {
    private static final PluginRules.Reading<LocalAsset> READING =
            new PluginRules.Reading<>(LocalAsset::path, PluginLint::executable, PluginLint::bytes);

    private PluginLint() {}

    /// @param slug the bundle's slug; null if it is not known yet
    /// @param version the bundle's version; null if it is not known yet
    static List<Finding> check(@Nullable String slug, @Nullable Version version, List<LocalAsset> assets) {
        return PluginRules.of(slug, version, assets, READING).all().stream()
                .map(Finding::of)
                .toList();
    }

    /// Returns null where the file system does not keep modes.
    private static @Nullable Boolean executable(LocalAsset asset) {
        try {
            return asset.executable() || FileModes.areKept(asset.file()) ? asset.executable() : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static Optional<byte[]> bytes(LocalAsset asset) {
        return Optional.of(SkillLint.beginning(asset, PluginManifest.MAX_BYTES + 1));
    }
}
