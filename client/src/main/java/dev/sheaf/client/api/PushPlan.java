package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import java.util.List;

/// The expected result of a push, as far as it can be known before the push.
///
/// @param visibility the bundle's visibility after the push
/// @param newBundle whether the push would create the bundle
/// @param tags the tags that would move to the version, without `latest`, which the registry moves
/// @param files sorted by path
/// @param problems the reasons why it would be refused, with the error codes; empty if no reason is known
/// @param warnings warnings for the author
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
    /// The registry's expected reaction.
    public enum Outcome {
        CREATED,
        /// The version exists with the same content: only tags would change.
        IDENTICAL,
        /// It would wait for approval.
        HELD,
        REFUSED
    }

    public PushPlan {
        tags = List.copyOf(tags);
        files = List.copyOf(files);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /// Returns the total size of all files, in bytes.
    public long sizeBytes() {
        return Asset.sizeOf(files);
    }
}
