package dev.sheaf.client.bundle;

import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.Version;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.plugin.PluginRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Checks the plugin among the files of a bundle by the same rules as a registry.
final class PluginLint {
    private static final PluginRules.Reading<LocalAsset> READING =
            new PluginRules.Reading<>(LocalAsset::path, PluginLint::executable, PluginLint::bytes);

    private PluginLint() {}

    /// @param slug the bundle's slug; null if it is not known yet
    /// @param version the bundle's version; null if it is not known yet
    static List<Finding> check(@Nullable String slug, @Nullable Version version, List<LocalAsset> assets) {
        return Stream.concat(
                        PluginRules.of(slug, version, assets, READING).all().stream()
                                .map(Finding::of),
                        assets.stream()
                                .filter(asset -> asset.path().equals(PluginManifest.PATH))
                                .flatMap(PluginLint::draft))
                .toList();
    }

    /// Finds the description that `sheaf init --plugin` wrote, which says nothing about the plugin.
    private static Stream<Finding> draft(LocalAsset manifest) {
        var text = new String(
                SkillLint.beginning(manifest, PluginManifest.MAX_BYTES), StandardCharsets.ISO_8859_1); // it is ASCII
        int at = text.indexOf('"' + PluginDraft.DESCRIPTION + '"');
        return at < 0
                ? Stream.empty()
                : Stream.of(
                        Finding.warning(
                                manifest.path().value(),
                                1
                                        + (int) text.substring(0, at)
                                                .chars()
                                                .filter(c -> c == '\n')
                                                .count(),
                                "description: still the placeholder; write one sentence about the plugin, which the hub shows"));
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
