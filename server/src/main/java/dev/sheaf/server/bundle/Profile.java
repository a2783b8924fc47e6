package dev.sheaf.server.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a bundle says of itself, beside its slug and visibility. It shows what its newest version said, until it is
/// edited.
///
/// @param name what people call it
/// @param keywords one a line; null: none
public record Profile(
        String name,
        @Nullable String description,
        @Nullable String readmeContent,
        @Nullable String readmeFormat,
        @Nullable String license,
        @Nullable String repositoryUrl,
        @Nullable String homepageUrl,
        @Nullable String keywords) {
    /// What a version can say of its bundle.
    public static Profile of(
            String name, @Nullable String description, @Nullable String readmeContent, @Nullable String readmeFormat) {
        return new Profile(name, description, readmeContent, readmeFormat, null, null, null, null);
    }

    /// The same under another name.
    public Profile called(String other) {
        return new Profile(
                other, description, readmeContent, readmeFormat, license, repositoryUrl, homepageUrl, keywords);
    }

    public List<String> keywordList() {
        return keywords == null ? List.of() : keywords.lines().toList();
    }

    /// What the bundle shows after a version that said this: what it left out stays, also a name that is only the
    /// slug again.
    public Profile over(Snapshot bundle) {
        var before = bundle.bundle().profile();
        return new Profile(
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
