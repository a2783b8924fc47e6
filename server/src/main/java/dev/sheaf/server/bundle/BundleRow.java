package dev.sheaf.server.bundle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A bundle as it is stored; who owns and sees it stands on its repository.
///
/// @param name what people call it; the slug is the repository's
/// @param keywords one a line
public record BundleRow(
        UUID id,
        String name,
        @Nullable String description,
        String sourceType,
        @Nullable String readmeContent,
        @Nullable String readmeFormat,
        @Nullable String license,
        @Nullable String repositoryUrl,
        @Nullable String homepageUrl,
        @Nullable String keywords,
        @Nullable String deprecationMessage,
        @Nullable String deprecationReplacement,
        Instant createdAt,
        @Nullable Instant updatedAt) {
    public Profile profile() {
        return new Profile(
                name, description, readmeContent, readmeFormat, license, repositoryUrl, homepageUrl, keywordList());
    }

    public List<String> keywordList() {
        return keywords == null ? List.of() : keywords.lines().toList();
    }

    @Nullable
    public Deprecation deprecation() {
        return deprecationMessage == null ? null : new Deprecation(deprecationMessage, deprecationReplacement);
    }
}
