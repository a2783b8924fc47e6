package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The request to publish (contract 3.4): creates a version from the bundle's working assets.
///
/// @param tags the tags to move to the version
/// @param message the publisher's message about this version
/// @param expectedLatest the version that must be the latest now; null means any
/// @param validateOnly true to only report what would happen
/// @param requires other bundles that the version needs; null means those of the latest version
public record PublishRequest(
        String version,
        List<String> tags,
        @Nullable String message,
        @Nullable String expectedLatest,
        boolean validateOnly,
        @Nullable List<RequiredBundle> requires) {
    public PublishRequest {
        tags = List.copyOf(tags);
        requires = requires == null ? null : List.copyOf(requires);
    }

    /// A request for a version that requires what the latest one does.
    public PublishRequest(
            String version,
            List<String> tags,
            @Nullable String message,
            @Nullable String expectedLatest,
            boolean validateOnly) {
        this(version, tags, message, expectedLatest, validateOnly, null);
    }

    /// Returns a copy that publishes.
    public PublishRequest forReal() {
        return new PublishRequest(version, tags, message, expectedLatest, false, requires);
    }

    /// Returns a copy that only validates.
    public PublishRequest onlyToCheck() {
        return new PublishRequest(version, tags, message, expectedLatest, true, requires);
    }
}
