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
public record PushOptions(
        @Nullable Visibility visibility,
        List<Tag> tags,
        @Nullable String name,
        @Nullable String description,
        boolean oci) {
    /// Private or as it was, no tag, the slug as name, no description, the route chosen by size.
    public static final PushOptions DEFAULT = new PushOptions(null, List.of(), null, null, false);

    public PushOptions {
        tags = List.copyOf(tags);
    }

    public PushOptions withVisibility(@Nullable Visibility other) {
        return new PushOptions(other, tags, name, description, oci);
    }

    public PushOptions withTags(List<Tag> others) {
        return new PushOptions(visibility, others, name, description, oci);
    }

    public PushOptions withName(@Nullable String other) {
        return new PushOptions(visibility, tags, other, description, oci);
    }

    public PushOptions withDescription(@Nullable String other) {
        return new PushOptions(visibility, tags, name, other, oci);
    }

    public PushOptions throughOci(boolean force) {
        return new PushOptions(visibility, tags, name, description, force);
    }
}
