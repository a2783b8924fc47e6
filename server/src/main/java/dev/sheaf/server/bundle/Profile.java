package dev.sheaf.server.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a bundle says of itself, beside its slug and visibility.
public record Profile(
        String name,
        @Nullable String description,
        @Nullable String readmeContent,
        @Nullable String readmeFormat,
        @Nullable String license,
        @Nullable String repositoryUrl,
        @Nullable String homepageUrl,
        List<String> keywords) {
    public Profile {
        keywords = List.copyOf(keywords);
    }

    /// The same under another name.
    public Profile called(String other) {
        return new Profile(
                other, description, readmeContent, readmeFormat, license, repositoryUrl, homepageUrl, keywords);
    }

    public static Profile of(Description text) {
        return new Profile(
                text.name(),
                text.description(),
                text.readmeContent(),
                text.readmeFormat(),
                null,
                null,
                null,
                List.of());
    }
}
