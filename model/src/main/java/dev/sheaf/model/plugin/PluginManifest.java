package dev.sheaf.model.plugin;

import dev.sheaf.model.LogicalPath;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The manifest of a plugin: `plugin.json` at its root (Agent Plugins 1.0, section 5). The texts are the publisher's
/// and
/// untrusted.
///
/// @param name 1 to 64 of `a-z`, `0-9`, single hyphens and single dots
/// @param version null if it states none
/// @param description null if it states none
/// @param author null if it states none
/// @param homepage null if it states none
/// @param repository null if it states none
/// @param license null if it states none
public record PluginManifest(
        String name,
        @Nullable String version,
        @Nullable String description,
        @Nullable Author author,
        @Nullable String homepage,
        @Nullable String repository,
        @Nullable String license,
        List<String> keywords) {
    /// Its path in a plugin.
    public static final LogicalPath PATH = new LogicalPath("plugin.json");

    /// The value of its member `$schema`.
    public static final String SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

    /// The limit of the file in bytes.
    public static final int MAX_BYTES = 256 << 10;

    /// The limit for the length of a name, in characters.
    public static final int MAX_NAME = 64;

    private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?");

    public PluginManifest {
        keywords = List.copyOf(keywords);
    }

    /// The author of a plugin. Each part is null if it is not stated.
    public record Author(
            @Nullable String name,
            @Nullable String email,
            @Nullable String url) {}

    /// Returns whether programs accept the name of a plugin (section 5.5).
    public static boolean isName(String name) {
        return name.length() <= MAX_NAME
                && NAME.matcher(name).matches()
                && !name.contains("--")
                && !name.contains("..");
    }

    /// Returns the name of a plugin for a bundle that states none: its slug, with single hyphens for what programs do
    /// not
    /// accept. Empty if it is too long.
    public static Optional<String> nameOf(String slug) {
        return Optional.of(
                        slug.replace('_', '-').replaceAll("\\.{2,}|-{2,}", "-").replaceAll("-{2,}", "-"))
                .filter(PluginManifest::isName);
    }

    /// Reads a manifest. Returns empty if programs refuse it; [PluginRules] says why.
    public static Optional<PluginManifest> read(byte[] json) {
        return Optional.ofNullable(ManifestReader.of(json).manifest());
    }
}
