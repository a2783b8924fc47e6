package dev.sheaf.client.bundle;

import dev.sheaf.client.api.PushOptions;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The content of a `sheaf.yaml`, which describes the bundle in its folder; see docs/sheaf.schema.json. Immutable.
///
/// @param name the name for people; null means the slug
/// @param visibility the visibility of a new bundle; null means private
/// @param readme the path of the README, relative to the folder; null means `README.md`, if it exists
/// @param license an SPDX expression
/// @param assets patterns of the files to publish; empty means all
/// @param executable patterns of the executable files, for file systems without modes; if empty, git's index
/// decides
/// @param ignore the path of the file with patterns of files to leave out; null means `.sheafignore`, if it
/// exists
/// @param requires other bundles that the version needs
public record BundleFile(
        Namespace namespace,
        BundleName slug,
        Version version,
        @Nullable String name,
        @Nullable String description,
        @Nullable Visibility visibility,
        @Nullable String readme,
        @Nullable String license,
        List<String> keywords,
        List<Pattern> assets,
        List<String> executable,
        @Nullable String ignore,
        List<Requirement> requires) {
    /// The name of the file.
    public static final String NAME = "sheaf.yaml";

    static final String README = "README.md";
    static final String IGNORE = ".sheafignore";

    /// A pattern in the grammar of gitignore(5).
    ///
    /// @param type the kind of these assets; null to guess it from the path
    /// @param line the line in the file
    public record Pattern(String path, @Nullable AssetType type, int line) {}

    public BundleFile {
        keywords = List.copyOf(keywords);
        assets = List.copyOf(assets);
        executable = List.copyOf(executable);
        requires = List.copyOf(requires);
    }

    /// Returns whether one of the patterns marks the file at this path as executable.
    public boolean isExecutable(String path) {
        return executable.stream().anyMatch(pattern -> Glob.of(pattern).matches(path));
    }

    /// Returns `namespace/slug:version`.
    public Reference reference() {
        return Reference.parse(namespace + "/" + slug + ":" + version);
    }

    /// Returns the options for a push of this bundle.
    public PushOptions options() {
        return PushOptions.DEFAULT
                .withName(name)
                .withDescription(description)
                .withVisibility(visibility)
                .withRequires(requires);
    }
}
