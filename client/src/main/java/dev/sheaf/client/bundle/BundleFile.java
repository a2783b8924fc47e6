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

/// What `sheaf.yaml` says about the bundle in its folder; docs/sheaf.schema.json describes it. Immutable.
///
/// @param name for people; the slug where null
/// @param visibility of a bundle that is new; private where null
/// @param readme path of the README, relative to the folder; `README.md`, if it is there, where null
/// @param license an SPDX expression
/// @param assets which files are part of it; empty means all
/// @param executable patterns of the files that are executable, where the file system keeps no modes; git's index
/// decides where it is empty
/// @param ignore path of the file that names what is left out; `.sheafignore`, if it is there, where null
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

    /// Files and folders by a pattern of gitignore(5).
    ///
    /// @param type the kind of these assets; guessed from the path where null
    /// @param line where it stands in the file
    public record Pattern(String path, @Nullable AssetType type, int line) {}

    public BundleFile {
        keywords = List.copyOf(keywords);
        assets = List.copyOf(assets);
        executable = List.copyOf(executable);
    }

    /// Whether one of the patterns says that the file at this path is executable.
    public boolean isExecutable(String path) {
        return executable.stream().anyMatch(pattern -> Glob.of(pattern).matches(path));
    }

    /// `namespace/slug:version`.
    public Reference reference() {
        return Reference.parse(namespace + "/" + slug + ":" + version);
    }

    /// How to push what this describes.
    public PushOptions options() {
        return PushOptions.DEFAULT.withName(name).withDescription(description).withVisibility(visibility);
    }
}
