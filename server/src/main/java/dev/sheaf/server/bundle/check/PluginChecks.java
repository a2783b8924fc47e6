package dev.sheaf.server.bundle.check;

import dev.sheaf.model.Version;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.plugin.PluginRules;
import dev.sheaf.server.bundle.Asset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Checks the plugin of a version by the rules of `sheaf lint`.
public final class PluginChecks {
    /// The number of bytes of a file that the checks need.
    public static final int MAX_BYTES = PluginManifest.MAX_BYTES + 1; // so that a longer one is seen as too long

    private static final String CODE = "plugin";

    private PluginChecks() {}

    /// @param slug the slug of the bundle
    /// @param document returns the content of a file, or its first [#MAX_BYTES]; empty to skip it
    public static List<ContentChecks.Warning> of(
            String slug, Version version, List<Asset> assets, Function<Asset, Optional<byte[]>> document) {
        var found = PluginRules.of(
                slug, version, assets, new PluginRules.Reading<>(Asset::path, Asset::executable, document));
        return Stream.concat(
                        Stream.ofNullable(found.runs()).map(note -> SkillChecks.warning(SkillChecks.RUNS, note)),
                        found.notes().stream().map(note -> SkillChecks.warning(CODE, note)))
                .toList();
    }
}
