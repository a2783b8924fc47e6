package dev.sheaf.server.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The profile of a bundle: its texts and links, except slug and visibility. The newest version sets it until
/// somebody edits it.
///
/// @param name display name
/// @param keywords one per line; null if there are none
public record BundleProfile(
        String name,
        @Nullable String description,
        @Nullable String readmeContent,
        @Nullable String readmeFormat,
        @Nullable String license,
        @Nullable String repositoryUrl,
        @Nullable String homepageUrl,
        @Nullable String keywords) {
    /// Returns a profile with the parts that a version can set.
    public static BundleProfile of(
            String name, @Nullable String description, @Nullable String readmeContent, @Nullable String readmeFormat) {
        return new BundleProfile(name, description, readmeContent, readmeFormat, null, null, null, null);
    }

    /// Returns the same profile with another name.
    public BundleProfile called(String other) {
        return new BundleProfile(
                other, description, readmeContent, readmeFormat, license, repositoryUrl, homepageUrl, keywords);
    }

    public List<String> keywordList() {
        return keywords == null ? List.of() : keywords.lines().toList();
    }

    /// Returns the bundle's profile after the publish of a version with this profile. Parts that the version
    /// leaves out stay; the name also stays if the version only repeats the slug.
    public BundleProfile over(BundleSnapshot bundle) {
        var before = bundle.bundle().profile();
        return new BundleProfile(
                name.equals(bundle.name().bundle().value()) ? before.name : name,
                description == null ? before.description : description,
                readmeContent == null ? before.readmeContent : readmeContent,
                readmeContent == null ? before.readmeFormat : readmeFormat,
                before.license,
                before.repositoryUrl,
                before.homepageUrl,
                before.keywords);
    }
}
