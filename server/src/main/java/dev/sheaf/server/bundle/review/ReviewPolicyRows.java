package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class ReviewPolicyRows {
    private ReviewPolicyRows() {}

    /// A policy as stored.
    ///
    /// @param bundle the slug; empty for the namespace
    /// @param nextAt when the looser policy takes effect; null if there is none
    /// @param nextApprovals 0 if the policy then ends
    record Row(
            String namespace,
            String bundle,
            int approvals,
            String reviewers,
            boolean excludesPublisher,
            long expires,
            @Nullable Instant nextAt,
            @Nullable String nextBy,
            @Nullable Integer nextApprovals,
            @Nullable String nextReviewers,
            @Nullable Boolean nextExcludesPublisher,
            @Nullable Long nextExpires) {
        ReviewPolicy policy() {
            return new ReviewPolicy(
                    approvals, reviewers.lines().toList(), excludesPublisher, Duration.ofMillis(expires));
        }

        /// Returns what the policy becomes; null if it ends.
        @Nullable
        ReviewPolicy next() {
            return nextApprovals == null
                            || nextApprovals == 0
                            || nextReviewers == null
                            || nextExcludesPublisher == null
                            || nextExpires == null
                    ? null
                    : new ReviewPolicy(
                            nextApprovals,
                            nextReviewers.lines().toList(),
                            nextExcludesPublisher,
                            Duration.ofMillis(nextExpires));
        }

        boolean isDue(Instant now) {
            return nextAt != null && !nextAt.isAfter(now);
        }

        /// Returns the policy at a time; null if it has ended.
        @Nullable
        ReviewPolicy at(Instant now) {
            return isDue(now) ? next() : policy();
        }
    }

    private static final String SELECT = """
            SELECT namespace, bundle, approvals, reviewers, excludes_publisher, expires, next_at, next_by, next_approvals,
                   next_reviewers, next_excludes_publisher, next_expires
            FROM review_policy
            """;

    /// @param bundle the slug; empty for the namespace
    static Optional<Row> find(Tx tx, String namespace, String bundle) {
        return tx.find(
                SELECT + " WHERE namespace = :namespace AND bundle = :bundle",
                Row.class,
                "namespace",
                namespace,
                "bundle",
                bundle);
    }

    /// Returns the policies that concern a bundle: of its namespace and its own.
    static List<Row> of(Tx tx, RepositoryName name) {
        return tx.list(
                SELECT + " WHERE namespace = :namespace AND bundle IN ('', :bundle) ORDER BY bundle", Row.class, name);
    }

    /// Returns the policies that apply together with one: for a bundle that of its namespace, for a namespace those of
    /// its bundles.
    static List<Row> others(Tx tx, String namespace, String bundle) {
        return tx.list(
                SELECT + " WHERE namespace = :namespace AND (bundle = '') <> (:bundle = '')",
                Row.class,
                "namespace",
                namespace,
                "bundle",
                bundle);
    }

    static List<Row> due(Tx tx, int limit) {
        return tx.list(SELECT + " WHERE next_at <= :now ORDER BY next_at LIMIT :limit", Row.class, "limit", limit);
    }

    /// Sets a policy that takes effect now.
    static void set(Tx tx, String namespace, String bundle, ReviewPolicy policy) {
        tx.change(
                """
                        INSERT INTO review_policy (namespace, bundle, approvals, reviewers, excludes_publisher, expires)
                        VALUES (:namespace, :bundle, :approvals, :reviewers, :excludes, :expires)
                        ON CONFLICT (namespace, bundle) DO UPDATE
                        SET approvals = excluded.approvals, reviewers = excluded.reviewers,
                            excludes_publisher = excluded.excludes_publisher, expires = excluded.expires,
                            next_at = NULL, next_by = NULL, next_approvals = NULL, next_reviewers = NULL,
                            next_excludes_publisher = NULL, next_expires = NULL
                        """,
                "namespace",
                namespace,
                "bundle",
                bundle,
                "approvals",
                policy.approvals(),
                "reviewers",
                String.join("\n", policy.by()),
                "excludes",
                policy.excludesPublisher(),
                "expires",
                policy.expires().toMillis());
    }

    /// Notes what a policy becomes.
    ///
    /// @param policy null if it ends
    static void setNext(Tx tx, String namespace, String bundle, @Nullable ReviewPolicy policy, Instant at, String by) {
        tx.change(
                """
                        UPDATE review_policy
                        SET next_at = :at, next_by = :by, next_approvals = :approvals, next_reviewers = :reviewers,
                            next_excludes_publisher = :excludes, next_expires = :expires
                        WHERE namespace = :namespace AND bundle = :bundle
                        """,
                "namespace",
                namespace,
                "bundle",
                bundle,
                "at",
                at,
                "by",
                by,
                "approvals",
                policy == null ? 0 : policy.approvals(),
                "reviewers",
                policy == null ? null : String.join("\n", policy.by()),
                "excludes",
                policy == null ? null : policy.excludesPublisher(),
                "expires",
                policy == null ? null : policy.expires().toMillis());
    }

    static void delete(Tx tx, String namespace, String bundle) {
        tx.change(
                "DELETE FROM review_policy WHERE namespace = :namespace AND bundle = :bundle",
                "namespace",
                namespace,
                "bundle",
                bundle);
    }
}
