package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What new versions of a bundle, or of all bundles of a namespace, need before readers get them.
///
/// @param review null if they need no approval
/// @param pending a looser policy that does not apply yet; null if there is none
public record ReviewPolicyRecord(
        @Nullable Review review, @Nullable Pending pending) {
    /// @param approvals by how many people
    /// @param by who may approve: `owner`, `admin`, `publisher`, `reader`, or `user:` and the id of a person
    /// @param notBy `publisher` if nobody approves what they pushed; `nobody` if everybody may
    /// @param expires how long a push waits, such as `P14D`
    public record Review(int approvals, List<String> by, String notBy, String expires) {
        public Review {
            by = List.copyOf(by);
        }
    }

    /// @param review null if no approval will be needed
    /// @param requestedBy who asked for it, who cannot confirm it
    public record Pending(
            @Nullable Review review,
            @Nullable Instant effectiveAt,
            @Nullable String requestedBy) {}
}
