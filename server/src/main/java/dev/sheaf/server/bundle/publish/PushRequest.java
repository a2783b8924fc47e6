package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.ProfileFields;
import dev.sheaf.server.bundle.requirement.RequirementFields;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A version to publish, with all its content.
///
/// @param message the publisher's message about the version; null for none
/// @param visibility the visibility of a new bundle; null for private
/// @param requires other bundles that the version needs
public record PushRequest(
        RepositoryName name,
        BundleProfile profile,
        @Nullable Visibility visibility,
        Version version,
        List<Tag> tags,
        @Nullable String message,
        List<SentAsset> content,
        List<Requirement> requires) {
    private static final int MAX_SLUG = 200;

    /// @param name the bundle's name, which the body may repeat
    /// @param maxAssets the maximum number of assets
    /// @param maxText the maximum size in bytes of an asset that is sent as text
    /// @param maxReadme the maximum size of the README in bytes
    public static PushRequest parse(
            RequestFields fields, RepositoryName name, int maxAssets, int maxText, int maxReadme) {
        String slug = fields.optional("slug", MAX_SLUG);
        if (slug != null && !slug.equals(name.bundle().value())) {
            fields.error("slug", "format", "must be " + name.bundle() + ", as in the path");
        }
        return new PushRequest(
                name,
                ProfileFields.ofVersion(fields, name.bundle(), maxReadme),
                fields.optional("visibility", Visibility::parse),
                fields.parsed("version", Version::parse, PublishRequest.NO_VERSION),
                PublishRequest.tags(fields),
                fields.optional("message", PublishRequest.MAX_MESSAGE),
                content(fields, maxAssets, maxText),
                Objects.requireNonNullElse(RequirementFields.parse(fields), List.of()));
    }

    private static List<SentAsset> content(RequestFields fields, int maxAssets, int maxText) {
        if (!fields.has("manifest")) {
            fields.error("manifest", "required", "is required: the assets of the version");
        }
        return fields.objects("manifest", maxAssets).stream()
                .map(entry -> SentAsset.parse(entry, maxText))
                .toList();
    }

    List<Asset> assets() {
        return content.stream().map(sent -> sent.asset).toList();
    }
}
