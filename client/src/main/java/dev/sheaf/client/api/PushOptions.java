package dev.sheaf.client.api;

import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Options of a push.
///
/// @param visibility null means private for a new bundle and no change for an existing one
/// @param tags the tags to move to the version
/// @param name the name for people; null means the bundle's slug
/// @param message what is new in the version, for people; null for nothing
/// @param oci push through `/v2` even if one JSON request would be enough
/// @param secrets also publish files that seem to contain secrets; otherwise the push is refused before
/// anything is sent
public record PushOptions(
        @Nullable Visibility visibility,
        List<Tag> tags,
        @Nullable String name,
        @Nullable String description,
        @Nullable String message,
        boolean oci,
        boolean secrets) {
    /// Private or unchanged visibility, no tags, the slug as name, no description or message, the route chosen by
    /// size, no secrets.
    public static final PushOptions DEFAULT = new PushOptions(null, List.of(), null, null, null, false, false);

    public PushOptions {
        tags = List.copyOf(tags);
    }

    public PushOptions withVisibility(@Nullable Visibility other) {
        return new PushOptions(other, tags, name, description, message, oci, secrets);
    }

    public PushOptions withTags(List<Tag> others) {
        return new PushOptions(visibility, others, name, description, message, oci, secrets);
    }

    public PushOptions withName(@Nullable String other) {
        return new PushOptions(visibility, tags, other, description, message, oci, secrets);
    }

    public PushOptions withDescription(@Nullable String other) {
        return new PushOptions(visibility, tags, name, other, message, oci, secrets);
    }

    public PushOptions withMessage(@Nullable String other) {
        return new PushOptions(visibility, tags, name, description, other, oci, secrets);
    }

    public PushOptions throughOci(boolean force) {
        return new PushOptions(visibility, tags, name, description, message, force, secrets);
    }

    /// Returns a copy with this value of `secrets`; with true, secrets are published with a notice.
    public PushOptions allowSecrets(boolean allow) {
        return new PushOptions(visibility, tags, name, description, message, oci, allow);
    }

    /// Returns a copy with missing values taken from `others`: visibility, name and description.
    public PushOptions orElse(PushOptions others) {
        return withVisibility(visibility == null ? others.visibility() : visibility)
                .withName(name == null ? others.name() : name)
                .withDescription(description == null ? others.description() : description);
    }
}
