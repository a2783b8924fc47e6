package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The body of publish (contract 3.4): makes a version of the bundle as it is being edited.
///
/// @param tags to be moved to the version
/// @param message about this version
/// @param expectedLatest the version that must be the latest now; null: whichever
/// @param validateOnly true: only say what it would come to
public record PublishRequest(
        String version,
        List<String> tags,
        @Nullable String message,
        @Nullable String expectedLatest,
        boolean validateOnly) {
    public PublishRequest {
        tags = List.copyOf(tags);
    }

    /// The same, to be carried out.
    public PublishRequest forReal() {
        return new PublishRequest(version, tags, message, expectedLatest, false);
    }

    /// The same, changing nothing.
    public PublishRequest onlyToCheck() {
        return new PublishRequest(version, tags, message, expectedLatest, true);
    }
}
