package dev.sheaf.server.bundle.api;

import dev.sheaf.model.wire.bundle.VersionApproval;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.decision.ReviewInbox;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.identity.ActorNames;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Who approved versions, for those who read them. Thread-safe.
public final class VersionApprovals {
    private final ReviewInbox inbox;
    private final ActorNames names;

    public VersionApprovals(ReviewInbox inbox, ActorNames names) {
        this.inbox = inbox;
        this.names = names;
    }

    /// What approved a version.
    ///
    /// @param heldAt when it was pushed; null if it did not wait
    /// @param by null if nobody approved it
    public record Of(@Nullable Instant heldAt, @Nullable List<VersionApproval> by) {
        public static final Of NOTHING = new Of(null, null);

        public Of {
            by = by == null || by.isEmpty() ? null : List.copyOf(by);
        }
    }

    public Of of(Caller caller, BundleSnapshot bundle, VersionRow version) {
        return Objects.requireNonNullElse(of(caller, bundle, List.of(version)).get(version.id()), Of.NOTHING);
    }

    /// Returns what approved versions of a bundle, by version; without a query if none was reviewed. Callers outside
    /// the organization learn no person.
    public Map<UUID, Of> of(Caller caller, BundleSnapshot bundle, List<VersionRow> versions) {
        var reviews = versions.stream()
                .map(VersionRow::reviewId)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (reviews.isEmpty()) {
            return Map.of();
        }
        var approvals = inbox.approvals(reviews);
        boolean isInside = Access.owns(caller, bundle.organizationId(), bundle.name());
        var known = isInside
                ? names.of(
                        bundle.organizationId(),
                        approvals.stream()
                                .filter(one -> one.accountId() != null)
                                .map(VersionApprovals::actor)
                                .toList())
                : Map.<String, String>of();
        var found = new HashMap<UUID, Of>();
        for (var version : versions) {
            var own = approvals.stream()
                    .filter(one -> one.reviewId().equals(version.reviewId()))
                    .toList();
            if (!own.isEmpty()) {
                var by = own.stream()
                        .filter(one -> one.approvedAt() != null)
                        .map(one -> isInside
                                ? new VersionApproval(actor(one), known.get(actor(one)), one.approvedAt())
                                : new VersionApproval(bundle.name().namespace().value(), null, one.approvedAt()))
                        .toList();
                found.put(version.id(), new Of(own.getFirst().heldAt(), by));
            }
        }
        return found;
    }

    private static String actor(ReviewRows.Approval approval) {
        return approval.accountId() == null ? String.valueOf(approval.decision()) : "user:" + approval.accountId();
    }
}
