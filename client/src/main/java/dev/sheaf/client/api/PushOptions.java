package dev.sheaf.client.api;

import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How to push.
///
/// @param visibility who may read the bundle; where null, a new bundle is private and an old one stays as it is
/// @param tags are moved to the version
/// @param name for people; the bundle's slug where null
/// @param oci push through `/v2` even where one JSON request would do
/// @param secrets publish also what looks like a secret; otherwise that is refused before anything is sent
public record PushOptions(
        @Nullable Visibility visibility,
        List<Tag> tags,
        @Nullable String name,
        @Nullable String description,
        boolean oci,
        boolean secrets) {
    /// Private or as it was, no tag, the slug as name, no description, the route chosen by size, no secrets.
    public static final PushOptions DEFAULT = new PushOptions(null, List.of(), null, null, false, false);

    public PushOptions {
        tags = List.copyOf(tags);
    }

    public PushOptions withVisibility(@Nullable Visibility other) {
        return new PushOptions(other, tags, name, description, oci, secrets);
    }

    public PushOptions withTags(List<Tag> others) {
        return new PushOptions(visibility, others, name, description, oci, secrets);
    }

    public PushOptions withName(@Nullable String other) {
        return new PushOptions(visibility, tags, other, description, oci, secrets);
    }

    public PushOptions withDescription(@Nullable String other) {
        return new PushOptions(visibility, tags, name, other, oci, secrets);
    }

    public PushOptions throughOci(boolean force) {
        return new PushOptions(visibility, tags, name, description, force, secrets);
    }

    /// Publishes also what looks like a secret, with a notice.
    public PushOptions allowSecrets(boolean allow) {
        return new PushOptions(visibility, tags, name, description, oci, allow);
    }

    /// What these say, and where they say nothing what the others do: visibility, name and description.
    public PushOptions orElse(PushOptions others) {
        return withVisibility(visibility == null ? others.visibility() : visibility)
                .withName(name == null ? others.name() : name)
                .withDescription(description == null ? others.description() : description);
    }
}
