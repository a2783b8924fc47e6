package dev.sheaf.server.bundle.review;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A push that needs approval, or a version whose review was asked for, as stored.
///
/// @param ref the bundle, which may not exist yet
/// @param manifestId null once its content need not be kept
/// @param approvals by how many people, by the policy at the push; so are the next two
/// @param given how many people have approved this round
/// @param name the name of the bundle; this and the next four belong to the profile that the push sent
/// @param visibility null for private
/// @param tags one a line, each with the id of the manifest to which it pointed at the push, or 0
/// @param requires other bundles that it needs, as in [RequirementRows#lines]
/// @param pushedBy the actor; `pusher` is the person behind it, null if there is none
/// @param ofPublished whether it is about a version that was published before, and stays so whatever people
/// decide
public record Review(
        UUID id,
        RepositoryName ref,
        long repositoryId,
        UUID organizationId,
        Version version,
        Digest digest,
        @Nullable Long manifestId,
        int round,
        ReviewState state,
        int approvals,
        String reviewers,
        boolean excludesPublisher,
        long given,
        long size,
        String name,
        @Nullable String description,
        @Nullable String readmeContent,
        @Nullable String readmeFormat,
        @Nullable Visibility visibility,
        @Nullable String message,
        String tags,
        String requires,
        Instant pushedAt,
        String pushedBy,
        @Nullable UUID pusher,
        Instant expiresAt,
        @Nullable Instant endedAt,
        boolean ofPublished) {
    /// A tag of the push.
    ///
    /// @param stoodAt the manifest to which it pointed then; 0 if it did not exist
    public record Wanted(String name, long stoodAt) {}

    public List<Wanted> wanted() {
        return tags.lines()
                .map(line -> line.split(" ", 2))
                .map(parts -> new Wanted(parts[0], Long.parseLong(parts[1])))
                .toList();
    }

    /// Returns the other bundles that it needs, by name.
    public List<Requirement> required() {
        return RequirementRows.ofLines(requires);
    }

    /// Returns what it needs: all that the policy asked for at the push, and all that it asks for now.
    ///
    /// @param now null if no approval is asked for any more
    public ReviewPolicy needs(@Nullable ReviewPolicy now) {
        var then = new ReviewPolicy(approvals, reviewers.lines().toList(), excludesPublisher, Duration.ofDays(1));
        return now == null ? then : then.and(now);
    }

    /// Returns its subject in events and audit entries.
    public String subject() {
        return ref + ":" + version;
    }

    /// Returns whether it only asks scanners again about a version that readers have.
    public boolean isRescan() {
        return ofPublished && approvals == 0;
    }

    public boolean isHeld() {
        return state == ReviewState.HELD;
    }
}
