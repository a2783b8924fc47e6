package dev.sheaf.client.api;

import dev.sheaf.model.wire.bundle.PolicyRecord;
import org.jspecify.annotations.Nullable;

/// A change of what new versions need. What it does not mention stays as it is. Immutable.
///
/// @param changesReview whether `review` is set, perhaps to nothing; so are `changesScan` and
/// `changesRequires`
public record PolicyChange(
        boolean changesReview,
        PolicyRecord.@Nullable Review review,
        boolean changesScan,
        PolicyRecord.@Nullable Scan scan,
        boolean changesRequires,
        @Nullable String requires) {
    /// Changes nothing.
    public static final PolicyChange NOTHING = new PolicyChange(false, null, false, null, false, null);

    /// Returns the same that also sets what all new versions need.
    ///
    /// @param to null if they need no approval; its `auto` null keeps the automatic rules
    public PolicyChange review(PolicyRecord.@Nullable Review to) {
        return new PolicyChange(true, to, changesScan, scan, changesRequires, requires);
    }

    /// Returns the same that also sets what findings change.
    ///
    /// @param to null if they change nothing
    public PolicyChange scan(PolicyRecord.@Nullable Scan to) {
        return new PolicyChange(changesReview, review, true, to, changesRequires, requires);
    }

    /// Returns the same that also sets which versions of other bundles new versions may require.
    ///
    /// @param to `approved`; null for any
    public PolicyChange requires(@Nullable String to) {
        return new PolicyChange(changesReview, review, changesScan, scan, true, to);
    }
}
