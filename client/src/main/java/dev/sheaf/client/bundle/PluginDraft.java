package dev.sheaf.client.bundle;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.plugin.PluginManifest;

/// Generates a first `plugin.json`.
public final class PluginDraft {
    /// The name of the file.
    public static final String NAME = PluginManifest.PATH.value();

    /// The description that its author has to replace.
    static final String DESCRIPTION = "One sentence about the plugin";

    private PluginDraft() {}

    /// Returns a manifest with the name of the bundle. It states no version: that of the bundle counts, and there is
    /// only
    /// one place to change it.
    ///
    /// @throws SheafException.InvalidRequest if the name is too long for a plugin
    public static String text(BundleName bundle) {
        String name = PluginManifest.nameOf(bundle.value())
                .orElseThrow(
                        () -> new SheafException.InvalidRequest(bundle + " has more than " + PluginManifest.MAX_NAME
                                + " characters, and the name of a plugin must" + " not; choose a shorter one"));
        return """
                {
                  "$schema": %s,
                  "name": %s,
                  "description": %s
                }
                """.formatted(WireJson.text(PluginManifest.SCHEMA), WireJson.text(name), WireJson.text(DESCRIPTION));
    }
}
