package dev.sheaf.client.api;

import dev.sheaf.model.Requirement;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Options of a push. Immutable: start with [#DEFAULT].
public final class PushOptions {
    /// Private or unchanged visibility, no tags, the slug as name, no description or message, the route chosen by
    /// size, no secrets.
    public static final PushOptions DEFAULT =
            new PushOptions(null, List.of(), null, null, null, false, false, List.of());

    private final @Nullable Visibility visibility;
    private final List<Tag> tags;
    private final @Nullable String name;
    private final @Nullable String description;
    private final @Nullable String message;
    private final boolean oci;
    private final boolean secrets;
    private final List<Requirement> requires;

    private PushOptions(
            @Nullable Visibility visibility,
            List<Tag> tags,
            @Nullable String name,
            @Nullable String description,
            @Nullable String message,
            boolean oci,
            boolean secrets,
            List<Requirement> requires) {
        this.visibility = visibility;
        this.tags = List.copyOf(tags);
        this.name = name;
        this.description = description;
        this.message = message;
        this.oci = oci;
        this.secrets = secrets;
        this.requires = List.copyOf(requires);
    }

    /// Returns the visibility; null means private for a new bundle and no change for an existing one.
    public @Nullable Visibility visibility() {
        return visibility;
    }

    /// Sets the visibility; null means private for a new bundle and no change for an existing one.
    public PushOptions withVisibility(@Nullable Visibility other) {
        return new PushOptions(other, tags, name, description, message, oci, secrets, requires);
    }

    /// Returns the tags that move to the version.
    public List<Tag> tags() {
        return tags;
    }

    /// Moves these tags to the version.
    public PushOptions withTags(List<Tag> others) {
        return new PushOptions(visibility, others, name, description, message, oci, secrets, requires);
    }

    /// Returns the name for people; null means the bundle's slug.
    public @Nullable String name() {
        return name;
    }

    /// Sets the name for people; null means the bundle's slug.
    public PushOptions withName(@Nullable String other) {
        return new PushOptions(visibility, tags, other, description, message, oci, secrets, requires);
    }

    /// Returns the description of the bundle; null for none.
    public @Nullable String description() {
        return description;
    }

    /// Sets the description of the bundle; null for none.
    public PushOptions withDescription(@Nullable String other) {
        return new PushOptions(visibility, tags, name, other, message, oci, secrets, requires);
    }

    /// Returns what is new in the version, for people; null for nothing.
    public @Nullable String message() {
        return message;
    }

    /// Says what is new in the version, for people; null for nothing.
    public PushOptions withMessage(@Nullable String other) {
        return new PushOptions(visibility, tags, name, description, other, oci, secrets, requires);
    }

    /// Returns whether the push goes through `/v2` even if one JSON request would be enough.
    public boolean oci() {
        return oci;
    }

    /// Pushes through `/v2` even if one JSON request would be enough.
    public PushOptions throughOci(boolean always) {
        return new PushOptions(visibility, tags, name, description, message, always, secrets, requires);
    }

    /// Returns whether files that seem to contain secrets are published too.
    public boolean secrets() {
        return secrets;
    }

    /// Publishes files that seem to contain secrets too, with a notice; otherwise such a push is refused before
    /// anything is sent.
    public PushOptions allowSecrets(boolean allow) {
        return new PushOptions(visibility, tags, name, description, message, oci, allow, requires);
    }

    /// Returns the other bundles that the version needs.
    public List<Requirement> requires() {
        return requires;
    }

    /// Says which other bundles the version needs.
    public PushOptions withRequires(List<Requirement> others) {
        return new PushOptions(visibility, tags, name, description, message, oci, secrets, others);
    }

    /// Returns a copy with missing values taken from `others`: visibility, name, description and requirements.
    public PushOptions orElse(PushOptions others) {
        return withVisibility(visibility == null ? others.visibility() : visibility)
                .withName(name == null ? others.name() : name)
                .withDescription(description == null ? others.description() : description)
                .withRequires(requires.isEmpty() ? others.requires() : requires);
    }
}
