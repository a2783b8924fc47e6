package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.StoredAsset;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

public final class ReviewRows {
    private static final String SELECT = """
            SELECT v.id, r.namespace, r.name AS bundle, v.repository_id, n.organization_id, v.version, v.digest, v.manifest_id,
                   v.round, v.state, v.approvals, v.reviewers, v.excludes_publisher, v.size, v.name, v.description,
                   (SELECT count(*) FROM review_decision d
                    WHERE d.review_id = v.id AND d.round = v.round AND d.decision = 'approved') AS given,
                   v.readme_content, v.readme_format, v.visibility, v.message, v.tags, v.requires, v.pushed_at, v.pushed_by, v.pusher,
                   v.expires_at, v.ended_at, v.of_published
            FROM review v JOIN repository r ON r.id = v.repository_id JOIN namespace n ON n.name = r.namespace
            """;

    private static final int MOST_REASONS = 50;

    private ReviewRows() {}

    /// The content of a push, and who sent it.
    record Sent(
            Digest digest,
            long manifestId,
            ReviewPolicy policy,
            long size,
            String name,
            @Nullable String description,
            @Nullable String readmeContent,
            @Nullable String readmeFormat,
            @Nullable Visibility visibility,
            @Nullable String message,
            String tags,
            String requires,
            String pushedBy,
            @Nullable UUID pusher,
            Instant expiresAt,
            boolean ofPublished) {
        int approvals() {
            return policy.approvals();
        }

        String reviewers() {
            return String.join("\n", policy.by());
        }

        boolean excludesPublisher() {
            return policy.excludesPublisher();
        }
    }

    static UUID insert(Tx tx, long repositoryId, Version version, int round, Sent sent, List<Asset> files) {
        var id = TimeOrderedIds.next(tx.now());
        tx.change(
                """
                        INSERT INTO review (id, repository_id, version, precedence, digest, manifest_id, round, state,
                                            approvals, reviewers, excludes_publisher, size, name, description,
                                            readme_content, readme_format, visibility, message, tags, requires, pushed_at,
                                            pushed_by,
                                            pusher, expires_at, warned, of_published)
                        VALUES (:id, :repository, :version, :precedence, :digest, :manifestId, :round, 'held',
                                :approvals, :reviewers, :excludesPublisher, :size, :name, :description,
                                :readmeContent, :readmeFormat, :visibility, :message, :tags, :requires, :now, :pushedBy,
                                :pusher, :expiresAt, 0, :ofPublished)
                        """,
                sent,
                "id",
                id,
                "round",
                round,
                "repository",
                repositoryId,
                "version",
                version,
                "precedence",
                version.precedence(),
                "approvals",
                sent.approvals(),
                "reviewers",
                sent.reviewers(),
                "excludesPublisher",
                sent.excludesPublisher());
        files(tx, id, files);
        return id;
    }

    /// Replaces the content of a push that waits.
    static void replace(Tx tx, Review before, Version version, Sent sent, List<Asset> files) {
        tx.change(
                """
                        UPDATE review SET version = :version, digest = :digest, manifest_id = :manifestId, round = round + 1,
                            approvals = :approvals, reviewers = :reviewers, excludes_publisher = :excludesPublisher,
                            size = :size, name = :name, description = :description, readme_content = :readmeContent,
                            readme_format = :readmeFormat, visibility = :visibility, message = :message, tags = :tags,
                            requires = :requires,
                            pushed_at = :now, pushed_by = :pushedBy, pusher = :pusher, expires_at = :expiresAt, warned = 0
                        WHERE id = :id
                        """,
                sent,
                "id",
                before.id(),
                "version",
                version,
                "approvals",
                sent.approvals(),
                "reviewers",
                sent.reviewers(),
                "excludesPublisher",
                sent.excludesPublisher());
        tx.change("DELETE FROM review_file WHERE review_id = :id", "id", before.id());
        files(tx, before.id(), files);
    }

    /// Replaces the findings for which a push waits.
    static void reasons(Tx tx, UUID id, List<ScanFinding> reasons) {
        tx.change("DELETE FROM review_finding WHERE review_id = :id", "id", id);
        addReasons(tx, id, 0, reasons);
    }

    /// Adds findings of a scanner.
    public static void addReasons(Tx tx, Review review, List<ScanFinding> reasons) {
        int place = (int) tx.number(
                "SELECT coalesce(max(place), -1) + 1 FROM review_finding WHERE review_id = :id", "id", review.id());
        addReasons(tx, review.id(), place, reasons);
    }

    private static void addReasons(Tx tx, UUID id, int from, List<ScanFinding> reasons) {
        record Row(int place, ScanFinding finding) {
            public String rule() {
                return finding.rule();
            }

            public @Nullable String severity() {
                return finding.severity();
            }

            public @Nullable String path() {
                return finding.path();
            }

            public @Nullable Integer line() {
                return finding.line();
            }

            public String text() {
                return finding.text();
            }

            public @Nullable String advice() {
                return finding.advice();
            }

            public @Nullable String scanner() {
                return finding.scanner();
            }
        }
        tx.laterEach(
                """
                        INSERT INTO review_finding (review_id, place, rule, severity, path, line, text, advice,
                                                    scanner)
                        VALUES (:review, :place, :rule, :severity, :path, :line, :text, :advice, :scanner)
                        """,
                IntStream.range(0, Math.min(reasons.size(), MOST_REASONS))
                        .mapToObj(place -> new Row(from + place, reasons.get(place)))
                        .toList(),
                "review",
                id);
    }

    /// Has people decide on a push that only scanners held.
    public static void askPeople(Tx tx, Review review, ReviewPolicy policy) {
        tx.change(
                """
                        UPDATE review SET approvals = :approvals, reviewers = :reviewers, excludes_publisher = :excludes
                        WHERE id = :id AND approvals = 0
                        """,
                "id",
                review.id(),
                "approvals",
                Math.max(1, policy.approvals()),
                "reviewers",
                String.join("\n", policy.by()),
                "excludes",
                policy.excludesPublisher());
    }

    /// Returns the findings for which a push waits, the worst first.
    public static List<ScanFinding> reasons(Tx tx, Review review) {
        return tx.list("""
                        SELECT rule, severity, path, line, text, advice, scanner FROM review_finding
                        WHERE review_id = :id ORDER BY place
                        """, ScanFinding.class, "id", review.id());
    }

    private static void files(Tx tx, UUID id, List<Asset> files) {
        tx.laterEach("""
                INSERT INTO review_file (review_id, path, asset_type, declared_type, digest, size, media_type, executable)
                VALUES (:review, :path, :assetType, :declaredType, :digest, :size, :mediaType, :executable)
                """, files, "review", id);
    }

    /// Whether the version `v` was approved: by people, by an override, or by a rule of a policy.
    public static final String IS_APPROVED = """
             EXISTS (SELECT 1 FROM review_decision d JOIN review w ON w.id = d.review_id AND w.round = d.round
                     WHERE w.id = v.review_id AND d.decision <> 'rejected')
            """;

    /// Returns whether a version was approved.
    public static boolean isApproved(Tx tx, UUID version) {
        return tx.has("SELECT 1 FROM version v WHERE v.id = :version AND " + IS_APPROVED, "version", version);
    }

    /// Returns the versions of a bundle that nobody approved, the highest first.
    public static List<Version> unapproved(Tx tx, UUID bundleId) {
        return tx.list("""
                        SELECT v.version FROM version v WHERE v.bundle_id = :bundle AND NOT
                        """ + IS_APPROVED + " ORDER BY v.sort_key DESC", Version.class, "bundle", bundleId);
    }

    /// Returns the push that waits under a number of the repository.
    public static Optional<Review> open(Tx tx, long repositoryId, Version version) {
        return tx.find(
                SELECT + " WHERE v.repository_id = :repository AND v.precedence = :precedence AND v.state = 'held'",
                Review.class,
                "repository",
                repositoryId,
                "precedence",
                version.precedence());
    }

    /// Returns the last push of a number of the repository that needed approval.
    public static Optional<Review> last(Tx tx, long repositoryId, Version version) {
        return tx.find(SELECT + """
                        WHERE v.repository_id = :repository AND v.precedence = :precedence
                        ORDER BY CASE v.state WHEN 'held' THEN 1 ELSE 0 END DESC, v.id DESC LIMIT 1
                        """, Review.class, "repository", repositoryId, "precedence", version.precedence());
    }

    public static Optional<Review> find(Tx tx, UUID id) {
        return tx.find(SELECT + " WHERE v.id = :id", Review.class, "id", id);
    }

    /// Returns reviews of an organization, the newest first.
    ///
    /// @param before the id after which to go on
    /// @param state null for all
    /// @param pushedBy null for all
    public static List<Review> list(
            Tx tx,
            UUID organization,
            String before,
            @Nullable ReviewState state,
            @Nullable String pushedBy,
            int limit) {
        return tx.list(
                SELECT + " WHERE n.organization_id = :organization AND v.id < :before"
                        + (state == null ? "" : " AND v.state = :state")
                        + (pushedBy == null ? "" : " AND v.pushed_by = :pushedBy")
                        + " ORDER BY v.id DESC LIMIT :limit",
                Review.class,
                "organization",
                organization,
                "before",
                before,
                "state",
                state == null ? "" : state.toString(),
                "pushedBy",
                pushedBy,
                "limit",
                limit);
    }

    /// A push that waits.
    public record Waiting(UUID id, Version version) {}

    /// Returns the pushes that wait in a repository, the newest first.
    public static List<Waiting> waiting(Tx tx, long repositoryId, int limit) {
        return tx.list("""
                        SELECT id, version FROM review WHERE repository_id = :repository AND state = 'held'
                        ORDER BY id DESC LIMIT :limit
                        """, Waiting.class, "repository", repositoryId, "limit", limit);
    }

    /// Returns the bundle of each push that waits in an organization.
    public static List<RepositoryName> waiting(Tx tx, UUID organization, int limit) {
        return tx.list("""
                        SELECT r.namespace, r.name AS bundle FROM review v JOIN repository r ON r.id = v.repository_id
                        JOIN namespace n ON n.name = r.namespace
                        WHERE n.organization_id = :organization AND v.state = 'held' LIMIT :limit
                        """, RepositoryName.class, "organization", organization, "limit", limit);
    }

    static long countOpen(Tx tx, long repositoryId) {
        return tx.number(
                "SELECT count(*) FROM review WHERE repository_id = :repository AND state = 'held'",
                "repository",
                repositoryId);
    }

    static long countOpen(Tx tx, UUID organization) {
        return tx.number("""
                        SELECT count(*) FROM review v JOIN repository r ON r.id = v.repository_id
                        JOIN namespace n ON n.name = r.namespace
                        WHERE n.organization_id = :organization AND v.state = 'held'
                        """, "organization", organization);
    }

    /// Returns the files of a push, by path.
    public static List<StoredAsset> files(Tx tx, Review review) {
        return tx.list("""
                        SELECT v.id, f.path, f.asset_type, f.declared_type, f.digest, f.size, f.media_type, f.executable,
                               v.pushed_at AS created_at, NULL AS updated_at
                        FROM review_file f JOIN review v ON v.id = f.review_id
                        WHERE f.review_id = :id ORDER BY f.path
                        """, StoredAsset.class, "id", review.id());
    }

    /// The decision of a person, or of a rule of the policy.
    ///
    /// @param accountId null for a rule
    public record Decision(
            @Nullable UUID accountId,
            int round,
            String decision,
            @Nullable String reason,
            Instant createdAt) {
        public static final String APPROVED = "approved";
        public static final String REJECTED = "rejected";
        /// An owner published it although approvals were missing.
        public static final String OVERRIDE = "override";

        private static final String RULE = "rule:";

        /// Returns the decision of a rule.
        ///
        /// @param number from 1
        public static String rule(int number) {
            return RULE + number;
        }

        /// Returns whether a rule decided.
        public boolean isRule() {
            return decision.startsWith(RULE);
        }

        /// Returns who decided, as rows record actors.
        public String by() {
            return accountId == null ? decision : "user:" + accountId;
        }
    }

    /// Returns the decisions, in their order.
    public static List<Decision> decisions(Tx tx, Review review) {
        return tx.list("""
                        SELECT NULLIF(account_id, '') AS account_id, round, decision, reason, created_at FROM review_decision
                        WHERE review_id = :id ORDER BY round, created_at, account_id
                        """, Decision.class, "id", review.id());
    }

    /// An approval that counted for a version, or none.
    ///
    /// @param heldAt when the version began to wait; null if it was published before the review
    /// @param accountId who approved it; null for a rule, and if only scanners were asked
    /// @param decision as in [Decision]; null if only scanners were asked
    public record Approval(
            UUID reviewId,
            @Nullable Instant heldAt,
            @Nullable UUID accountId,
            @Nullable String decision,
            @Nullable Instant approvedAt) {}

    /// Returns what reviews approved, in the order of the approvals.
    public static List<Approval> approvals(Tx tx, Collection<UUID> reviews) {
        return tx.list("""
                        SELECT v.id AS review_id, CASE WHEN v.of_published = 0 THEN v.pushed_at END AS held_at,
                               NULLIF(d.account_id, '') AS account_id, d.decision, d.created_at AS approved_at
                        FROM review v LEFT JOIN review_decision d
                            ON d.review_id = v.id AND d.round = v.round AND d.decision <> 'rejected'
                        WHERE v.id IN (<reviews>) ORDER BY v.id, d.created_at, d.account_id
                        """, Approval.class, "reviews", reviews);
    }

    /// Notes a decision of the present round. Returns false if the person has decided already.
    public static boolean decide(Tx tx, Review review, UUID person, String decision, @Nullable String reason) {
        return tx.change(
                        """
                                INSERT INTO review_decision (review_id, round, account_id, decision, reason, created_at)
                                VALUES (:id, :round, :person, :decision, :reason, :now) ON CONFLICT DO NOTHING
                                """,
                        "id",
                        review.id(),
                        "round",
                        review.round(),
                        "person",
                        person,
                        "decision",
                        decision,
                        "reason",
                        reason)
                == 1;
    }

    /// Notes a rejection, in place of an approval of the same person.
    public static void reject(Tx tx, Review review, UUID person, String reason) {
        tx.change("""
                        INSERT INTO review_decision (review_id, round, account_id, decision, reason, created_at)
                        VALUES (:id, :round, :person, 'rejected', :reason, :now)
                        ON CONFLICT (review_id, round, account_id) DO UPDATE
                        SET decision = excluded.decision, reason = excluded.reason, created_at = excluded.created_at
                        """, "id", review.id(), "round", review.round(), "person", person, "reason", reason);
    }

    /// Notes that an owner overrides the approvals that are missing, in place of another decision of the
    /// same person.
    public static void override(Tx tx, Review review, UUID person, String reason) {
        tx.change("""
                        INSERT INTO review_decision (review_id, round, account_id, decision, reason, created_at)
                        VALUES (:id, :round, :person, 'override', :reason, :now)
                        ON CONFLICT (review_id, round, account_id) DO UPDATE
                        SET decision = excluded.decision, reason = excluded.reason, created_at = excluded.created_at
                        """, "id", review.id(), "round", review.round(), "person", person, "reason", reason);
    }

    /// Returns whether the present round of a push needs no people: an owner overrides the approvals that
    /// it lacks, or a rule approves it.
    public static boolean isDecided(Tx tx, Review review) {
        return tx.has("""
                SELECT 1 FROM review_decision
                WHERE review_id = :id AND round = :round AND (decision = 'override' OR decision LIKE 'rule:%')
                """, "id", review.id(), "round", review.round());
    }

    /// Notes that a rule of the policy approves the present round of a push.
    ///
    /// @param number from 1
    /// @param words what the rule says
    public static void ruled(Tx tx, Review review, int number, String words) {
        tx.change("""
                        INSERT INTO review_decision (review_id, round, account_id, decision, reason, created_at)
                        VALUES (:id, :round, '', :decision, :words, :now)
                        """, "id", review.id(), "round", review.round(), "decision", Decision.rule(number), "words", words);
    }

    /// Returns whether a rule approved a push of a repository after a time.
    public static boolean isRuledSince(Tx tx, long repositoryId, Instant time) {
        return tx.has("""
                SELECT 1 FROM review v JOIN review_decision d ON d.review_id = v.id
                WHERE v.repository_id = :repository AND d.decision LIKE 'rule:%' AND d.created_at > :time
                """, "repository", repositoryId, "time", time);
    }

    /// Returns whether a push of a repository was rejected at or after a time.
    public static boolean isRejectedSince(Tx tx, long repositoryId, Instant time) {
        return tx.has(
                "SELECT 1 FROM review WHERE repository_id = :repository AND state = 'rejected' AND ended_at >= :time",
                "repository",
                repositoryId,
                "time",
                time);
    }

    /// A version that people approved.
    public record Approved(Version version, Digest digest, Instant endedAt) {
        public static final Comparator<Approved> BY_VERSION = Comparator.comparing(Approved::version);
    }

    /// Returns the versions of a repository that people approved, without those of overrides and rules.
    public static List<Approved> approvedByPeople(Tx tx, long repositoryId) {
        return tx.list("""
                        SELECT v.version, v.digest, v.ended_at FROM review v
                        WHERE v.repository_id = :repository AND v.state = 'published'
                          AND EXISTS (SELECT 1 FROM review_decision d
                                      WHERE d.review_id = v.id AND d.round = v.round AND d.decision = 'approved')
                          AND NOT EXISTS (SELECT 1 FROM review_decision d
                                          WHERE d.review_id = v.id AND d.round = v.round AND d.decision <> 'approved')
                        """, Approved.class, "repository", repositoryId);
    }

    /// Returns the override that published a version.
    public static Optional<Decision> overrideOf(Tx tx, long repositoryId, Version version, Digest digest) {
        return tx.first(
                """
                SELECT d.account_id, d.round, d.decision, d.reason, d.created_at
                FROM review v JOIN review_decision d ON d.review_id = v.id AND d.round = v.round
                WHERE v.repository_id = :repository AND v.precedence = :precedence AND v.digest = :digest
                  AND v.state = 'published' AND d.decision = 'override'
                ORDER BY d.created_at LIMIT 1
                """, Decision.class, "repository", repositoryId, "precedence", version.precedence(), "digest", digest);
    }

    /// Ends a push that waits.
    public static void end(Tx tx, Review review, ReviewState state) {
        tx.change(
                "UPDATE review SET state = :state, ended_at = :now WHERE id = :id",
                "id",
                review.id(),
                "state",
                state.toString());
    }

    /// Returns the pushes that wait in a repository.
    static List<Review> held(Tx tx, long repositoryId) {
        return tx.list(
                SELECT + " WHERE v.repository_id = :repository AND v.state = 'held' ORDER BY v.id",
                Review.class,
                "repository",
                repositoryId);
    }

    /// Returns pushes that wait and end before a time, the first to end first.
    ///
    /// @param unwarned whether only those about which nobody was warned
    public static List<Review> ending(Tx tx, Instant before, boolean unwarned, int limit) {
        return tx.list(
                SELECT + " WHERE v.state = 'held' AND v.expires_at <= :before"
                        + (unwarned ? " AND v.warned = 0" : "")
                        + " ORDER BY v.expires_at, v.id LIMIT :limit",
                Review.class,
                "before",
                before,
                "limit",
                limit);
    }

    public static void warned(Tx tx, Review review) {
        tx.change("UPDATE review SET warned = 1 WHERE id = :id", "id", review.id());
    }

    /// Lets go of the content of pushes that ended before a time. Returns their number.
    public static int letGo(Tx tx, Instant before, int limit) {
        return tx.change("""
                        UPDATE review SET manifest_id = NULL WHERE id IN (
                            SELECT id FROM review WHERE state <> 'held' AND manifest_id IS NOT NULL AND ended_at <= :before
                            ORDER BY ended_at LIMIT :limit)
                        """, "before", before, "limit", limit);
    }
}
