package dev.sheaf.client.bundle;

import dev.sheaf.client.api.PushOptions;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The content of a `sheaf.yaml`, which describes the bundle in its folder; see docs/sheaf.schema.json. Immutable.
///
/// @param name for people; null: the slug
/// @param visibility of a new bundle; null: private
/// @param readme path of the README, relative to the folder; null: `README.md`, if it exists
/// @param license an SPDX expression
/// @param assets patterns of the files to publish; empty: all
/// @param executable patterns of the executable files, for file systems without modes; empty: git's index decides
/// @param ignore path of the file that lists what to leave out; null: `.sheafignore`, if it exists
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
        @Nullable String ignore) {
    /// The name of the file.
    public static final String NAME = "sheaf.yaml";

    static final String README = "README.md";
    static final String IGNORE = ".sheafignore";

    /// A pattern as in gitignore(5).
    ///
    /// @param type the kind of these assets; null: guessed from the path
    /// @param line in the file
    public record Pattern(String path, @Nullable AssetType type, int line) {}

    public BundleFile {
        keywords = List.copyOf(keywords);
        assets = List.copyOf(assets);
        executable = List.copyOf(executable);
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
        return PushOptions.DEFAULT.withName(name).withDescription(description).withVisibility(visibility);
    }
}
