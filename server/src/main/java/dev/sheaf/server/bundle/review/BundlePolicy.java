package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.net.AllowedTargets;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.ScanFinding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What new versions need before readers get them.
///
/// @param review null if all need no approval
/// @param scan null if findings change nothing
/// @param requiresApproved whether they may require only approved versions of other bundles
public record BundlePolicy(
        @Nullable ReviewPolicy review, @Nullable ScanPolicy scan, boolean requiresApproved) {
    /// Asks for nothing.
    public static final BundlePolicy NOTHING = new BundlePolicy(null, null, false);

    private static final String REVIEW = "review";
    private static final String SCAN = "scan";
    private static final String REQUIRES = "requires";
    private static final String APPROVED = "approved";

    /// A change of a policy. What the request does not mention stays.
    ///
    /// @param namesScanners whether it says which scanners are asked
    /// @param namesRules whether it says which rules approve pushes
    public record Change(BundlePolicy given, Set<String> members, boolean namesScanners, boolean namesRules) {
        public Change {
            members = Set.copyOf(members);
        }

        /// Reads a change.
        ///
        /// @param reach where questions to scanners may be sent
        /// @throws dev.sheaf.model.ProblemException validation-failed, also for unknown members: a misspelt
        /// one would ask for less than its author believes
        public static Change parse(RequestFields fields, AllowedTargets reach) {
            var members = Set.of(REVIEW, SCAN, REQUIRES);
            fields.only(members);
            if (members.stream().noneMatch(fields::sent)) {
                fields.error(
                        REVIEW,
                        "required",
                        "\"scan\" or \"requires\" is required; null means that the policy asks for nothing there");
            }
            boolean approved = fields.parsedOr(REQUIRES, Change::isApproved, false);
            var given = new BundlePolicy(ReviewPolicy.parse(fields), ScanPolicy.parse(fields, reach), approved);
            return new Change(
                    given,
                    Set.copyOf(members.stream().filter(fields::sent).toList()),
                    ScanPolicy.namesScanners(fields),
                    ReviewPolicy.namesRules(fields));
        }

        private static boolean isApproved(String text) {
            if (!text.equals(APPROVED)) {
                throw Problem.invalid("unknown", "must be approved, or null");
            }
            return true;
        }

        BundlePolicy on(BundlePolicy before) {
            return new BundlePolicy(
                    members.contains(REVIEW) ? review(before.review()) : before.review(),
                    ScanPolicy.orNull(members.contains(SCAN) ? scan(before.scan()) : before.scan()),
                    members.contains(REQUIRES) ? given.requiresApproved() : before.requiresApproved());
        }

        private @Nullable ReviewPolicy review(@Nullable ReviewPolicy before) {
            var review = given.review();
            return review == null || namesRules || before == null ? review : review.with(before.auto());
        }

        private @Nullable ScanPolicy scan(@Nullable ScanPolicy before) {
            var scan = given.scan();
            return scan == null || namesScanners || before == null ? scan : scan.with(before.scanners());
        }
    }

    public boolean isNothing() {
        return equals(NOTHING);
    }

    /// Returns whose approval a version needs if it needs any; null if nothing can ask for one.
    public @Nullable ReviewPolicy approval() {
        return review != null ? review : scan != null && scan.asksPeople() ? ReviewPolicy.USUAL : null;
    }

    /// Refuses content with a finding that the policy forbids.
    ///
    /// @throws dev.sheaf.model.ProblemException scan-blocked
    public void requireUnblocked(RepositoryName name, Version version, List<ScanFinding> findings) {
        blocked(name, version, findings).ifPresent(problem -> {
            throw problem.raise();
        });
    }

    /// Returns why content is refused; empty if it is not.
    public Optional<Problem> blocked(RepositoryName name, Version version, List<ScanFinding> findings) {
        return scan == null ? Optional.empty() : scan.blocked(name, version, findings);
    }

    /// Returns the findings for which content is refused or needs approval.
    public List<ScanFinding> stopping(List<ScanFinding> findings) {
        return scan == null ? List.of() : scan.stopping(findings);
    }

    /// Returns the findings for which content needs approval.
    public List<ScanFinding> reasons(List<ScanFinding> findings) {
        return scan == null ? List.of() : scan.reasons(findings);
    }

    /// Returns whether this asks for less than another policy.
    boolean isLooserThan(BundlePolicy other) {
        var before = other.approval();
        var now = approval();
        return ScanPolicy.isLooser(scan, other.scan())
                || (other.requiresApproved && !requiresApproved)
                || (other.review() != null && review == null)
                || (before != null
                        && now != null
                        && now.isLooserThan(other.review() == null ? before.with(now.auto()) : before));
    }

    /// Returns the policy that asks for all that both do.
    BundlePolicy and(BundlePolicy other) {
        return new BundlePolicy(
                review == null || other.review == null
                        ? review == null ? other.review : review
                        : review.and(other.review),
                ScanPolicy.and(scan, other.scan),
                requiresApproved || other.requiresApproved);
    }

    /// Returns the rules of which each approves a push without people.
    public List<AutoRule> auto() {
        return review == null ? List.of() : review.auto();
    }

    public @Nullable String requiresToWire() {
        return requiresApproved ? APPROVED : null;
    }

    public PolicyRecord.@Nullable Review reviewToWire() {
        return review == null ? null : review.toWire();
    }

    public PolicyRecord.@Nullable Scan scanToWire() {
        return scanToWire(Map.of());
    }

    /// @param secrets those of scanners to show, by scanner
    PolicyRecord.@Nullable Scan scanToWire(Map<UUID, String> secrets) {
        return scan == null ? null : scan.toWire(secrets);
    }

    /// Returns the scanners that are asked.
    public List<Scanner> scanners() {
        return scan == null ? List.of() : scan.scanners();
    }
}
