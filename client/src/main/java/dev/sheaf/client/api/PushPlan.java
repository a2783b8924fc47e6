package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import java.util.List;

/// What a push would come to, as far as that can be known without it.
///
/// @param manifestDigest that the version would have
/// @param visibility of the bundle afterwards
/// @param newBundle whether the push would create the bundle
/// @param tags that would move to the version; `latest` is kept by the registry besides
/// @param files sorted by path
/// @param route how it would go
/// @param problems why it would be refused, each with the code of the refusal; empty where nothing is known to
/// stand against it
/// @param warnings what its author should look at
public record PushPlan(
        RepositoryName repository,
        Version version,
        Digest manifestDigest,
        Outcome outcome,
        Visibility visibility,
        boolean newBundle,
        List<Tag> tags,
        List<Asset> files,
        Pushed.Route route,
        List<FieldError> problems,
        List<String> warnings) {
    /// How the registry would take it.
    public enum Outcome {
        CREATED,
        /// The version is there with the same content: nothing would change but the tags.
        IDENTICAL,
        REFUSED
    }

    public PushPlan {
        tags = List.copyOf(tags);
        files = List.copyOf(files);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    public long sizeBytes() {
        return Asset.sizeOf(files);
    }
}
