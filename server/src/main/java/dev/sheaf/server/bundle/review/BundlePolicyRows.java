package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

final class BundlePolicyRows {
    private BundlePolicyRows() {}

    /// A policy as stored.
    ///
    /// @param bundle the slug; empty for the namespace
    /// @param nextAt when the looser policy takes effect; null if there is none
    /// @param approvals 0 if versions need no approval as such; so `nextApprovals`
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
            @Nullable Long nextExpires,
            @Nullable String scanBlock,
            @Nullable String scanReview,
            @Nullable String scanners,
            @Nullable String nextScanBlock,
            @Nullable String nextScanReview,
            @Nullable String nextScanners,
            @Nullable String auto,
            @Nullable String nextAuto,
            boolean requiresApproved,
            @Nullable Boolean nextRequiresApproved,
            UUID organizationId) {
        BundlePolicy policy() {
            var review = approvals == 0
                    ? null
                    : new ReviewPolicy(
                            approvals,
                            reviewers.lines().toList(),
                            excludesPublisher,
                            Duration.ofMillis(expires),
                            AutoRule.ofLines(auto));
            return new BundlePolicy(
                    review, ScanPolicy.stored(scanBlock, scanReview, scanners, organizationId), requiresApproved);
        }

        /// Returns what the policy becomes.
        BundlePolicy next() {
            var review = nextApprovals == null
                            || nextApprovals == 0
                            || nextReviewers == null
                            || nextExcludesPublisher == null
                            || nextExpires == null
                    ? null
                    : new ReviewPolicy(
                            nextApprovals,
                            nextReviewers.lines().toList(),
                            nextExcludesPublisher,
                            Duration.ofMillis(nextExpires),
                            AutoRule.ofLines(nextAuto));
            return new BundlePolicy(
                    review,
                    ScanPolicy.stored(nextScanBlock, nextScanReview, nextScanners, organizationId),
                    Boolean.TRUE.equals(nextRequiresApproved));
        }

        boolean isDue(Instant now) {
            return nextAt != null && !nextAt.isAfter(now);
        }

        /// Returns the policy at a time.
        BundlePolicy at(Instant now) {
            return isDue(now) ? next() : policy();
        }
    }

    private static final String SELECT = """
            SELECT namespace, bundle, approvals, reviewers, excludes_publisher, expires, next_at, next_by, next_approvals,
                   next_reviewers, next_excludes_publisher, next_expires, scan_block, scan_review, scanners,
                   next_scan_block, next_scan_review, next_scanners, auto, next_auto, requires_approved,
                   next_requires_approved,
                   (SELECT n.organization_id FROM namespace n WHERE n.name = review_policy.namespace) AS organization_id
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
    static void set(Tx tx, String namespace, String bundle, BundlePolicy policy) {
        tx.change("""
                        INSERT INTO review_policy (namespace, bundle, approvals, reviewers, excludes_publisher, expires,
                                                   scan_block, scan_review, scanners, auto, requires_approved)
                        VALUES (:namespace, :bundle, :approvals, :reviewers, :excludesPublisher, :expires, :scanBlock,
                                :scanReview, :scanners, :auto, :requiresApproved)
                        ON CONFLICT (namespace, bundle) DO UPDATE
                        SET approvals = excluded.approvals, reviewers = excluded.reviewers,
                            excludes_publisher = excluded.excludes_publisher, expires = excluded.expires,
                            scan_block = excluded.scan_block, scan_review = excluded.scan_review,
                            scanners = excluded.scanners, auto = excluded.auto,
                            requires_approved = excluded.requires_approved,
                            next_at = NULL, next_by = NULL, next_approvals = NULL, next_reviewers = NULL,
                            next_excludes_publisher = NULL, next_expires = NULL, next_scan_block = NULL,
                            next_scan_review = NULL, next_scanners = NULL, next_auto = NULL,
                            next_requires_approved = NULL
                        """, Stored.of(policy), "namespace", namespace, "bundle", bundle);
    }

    /// The columns of a policy.
    private record Stored(
            int approvals,
            String reviewers,
            boolean excludesPublisher,
            long expires,
            @Nullable String scanBlock,
            @Nullable String scanReview,
            @Nullable String scanners,
            @Nullable String auto,
            boolean requiresApproved) {
        static Stored of(BundlePolicy policy) {
            var review = policy.review();
            var scan = policy.scan();
            var shown = review == null ? ReviewPolicy.USUAL : review;
            return new Stored(
                    review == null ? 0 : review.approvals(),
                    String.join("\n", shown.by()),
                    shown.excludesPublisher(),
                    shown.expires().toMillis(),
                    scan == null ? null : ScanPolicy.word(scan.block()),
                    scan == null ? null : ScanPolicy.word(scan.review()),
                    Scanner.stored(policy.scanners()),
                    AutoRule.lines(policy.auto()),
                    policy.requiresApproved());
        }
    }

    /// Notes what a policy becomes.
    static void setNext(Tx tx, String namespace, String bundle, BundlePolicy policy, Instant at, String by) {
        tx.change("""
                        UPDATE review_policy
                        SET next_at = :at, next_by = :by, next_approvals = :approvals, next_reviewers = :reviewers,
                            next_excludes_publisher = :excludesPublisher, next_expires = :expires,
                            next_scan_block = :scanBlock, next_scan_review = :scanReview,
                            next_scanners = :scanners, next_auto = :auto,
                            next_requires_approved = :requiresApproved
                        WHERE namespace = :namespace AND bundle = :bundle
                        """, Stored.of(policy), "namespace", namespace, "bundle", bundle, "at", at, "by", by);
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
