package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.net.AllowedTargets;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.ScanFinding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What findings in a new version change.
///
/// @param block the least severity with which it is refused; null if no finding refuses it
/// @param review the least severity with which it needs approval; null if no finding asks for that
/// @param scanners the programs of others that must allow it
public record ScanPolicy(@Nullable Severity block, @Nullable Severity review, List<Scanner> scanners) {
    public ScanPolicy {
        scanners = List.copyOf(scanners);
    }

    /// A rule of which only people can say whether it is right, so that it blocks nothing.
    private static final String LOOKALIKE = "lookalike-host";

    private static final String SCANNERS = "scanners";

    /// Reads the member `scan` of a policy; null if findings change nothing.
    ///
    /// @param reach where questions to scanners may be sent
    static @Nullable ScanPolicy parse(RequestFields policy, AllowedTargets reach) {
        var fields = policy.object("scan");
        if (fields == null) {
            return null;
        }
        fields.only(Set.of("block", "review", SCANNERS));
        var scanners = isEmpty(fields) ? List.<Scanner>of() : scanners(fields, reach);
        return new ScanPolicy(
                fields.optional("block", ScanPolicy::severity),
                fields.optional("review", ScanPolicy::severity),
                scanners);
    }

    /// Returns whether a request says which scanners are asked.
    static boolean namesScanners(RequestFields policy) {
        var fields = policy.object("scan");
        return fields == null || fields.sent(SCANNERS);
    }

    private static boolean isEmpty(RequestFields fields) {
        return !fields.has(SCANNERS) || fields.isEmptyArray(SCANNERS);
    }

    private static List<Scanner> scanners(RequestFields fields, AllowedTargets reach) {
        var scanners = fields.objects(SCANNERS, Scanner.MOST).stream()
                .map(one -> Scanner.parse(one, reach))
                .toList();
        if (scanners.stream().map(Scanner::name).distinct().count() < scanners.size()) {
            fields.error(SCANNERS, "range", "must have different names");
        }
        return scanners;
    }

    private static Severity severity(String text) {
        return WireWords.find(Severity.class, text)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(Severity.class)));
    }

    /// Returns null if it asks for nothing.
    static @Nullable ScanPolicy orNull(@Nullable ScanPolicy policy) {
        return policy == null || (!policy.readsFiles() && policy.scanners.isEmpty()) ? null : policy;
    }

    /// Reads what is in the database; null if it asks for nothing.
    ///
    /// @param organization the owner of the namespace
    static @Nullable ScanPolicy stored(
            @Nullable String block, @Nullable String review, @Nullable String scanners, UUID organization) {
        return orNull(new ScanPolicy(known(block), known(review), Scanner.read(scanners, organization)));
    }

    ScanPolicy with(List<Scanner> asked) {
        return new ScanPolicy(block, review, asked);
    }

    /// Returns whether the registry's own findings change something.
    public boolean readsFiles() {
        return block != null || review != null;
    }

    private static @Nullable Severity known(@Nullable String word) {
        return word == null ? null : WireWords.find(Severity.class, word).orElse(Severity.INFO);
    }

    /// Returns whether people must be able to approve what this holds.
    boolean asksPeople() {
        return review != null || !scanners.isEmpty();
    }

    /// Returns why content is refused; empty if it is not.
    Optional<Problem> blocked(RepositoryName name, Version version, List<ScanFinding> findings) {
        var worst = block;
        if (worst == null) {
            return Optional.empty();
        }
        var reasons =
                findings.stream().filter(finding -> blocks(finding, worst)).toList();
        return reasons.isEmpty()
                ? Optional.empty()
                : Optional.of(new Problem.ScanBlocked(
                        name,
                        version,
                        worst.toString(),
                        reasons.stream().map(ScanFinding::sentence).toList()));
    }

    /// Returns the findings for which content is refused or needs approval.
    List<ScanFinding> stopping(List<ScanFinding> findings) {
        var least = block;
        var reasons = reasons(findings);
        return findings.stream()
                .filter(finding -> reasons.contains(finding) || least != null && blocks(finding, least))
                .toList();
    }

    /// Returns the findings for which content needs approval. What was not read is one, because it is not known to be
    /// harmless.
    List<ScanFinding> reasons(List<ScanFinding> findings) {
        var least = review;
        return least == null
                ? List.of()
                : findings.stream()
                        .filter(finding -> finding.severity() == null || isAtLeast(finding, least))
                        .toList();
    }

    private static boolean blocks(ScanFinding finding, Severity least) {
        return isAtLeast(finding, least) && !finding.rule().equals(LOOKALIKE);
    }

    private static boolean isAtLeast(ScanFinding finding, Severity least) {
        return finding.severity() != null
                && WireWords.find(Severity.class, finding.severity())
                        .filter(severity -> severity.compareTo(least) >= 0)
                        .isPresent();
    }

    /// Returns whether `one` lets through what `other` stops.
    static boolean isLooser(@Nullable ScanPolicy one, @Nullable ScanPolicy other) {
        return other != null
                && (isWithout(one, other.scanners)
                        || other.review != null && (one == null || one.review == null) // what is not read would pass
                        || isLooser(one == null ? null : one.review, other.review)
                        || isLooser(one == null ? null : one.block, other.block)
                        || isLooser(one == null ? null : one.severest(), other.severest()));
    }

    private static boolean isWithout(@Nullable ScanPolicy one, List<Scanner> scanners) {
        return !scanners.stream()
                .allMatch(asked -> one != null
                        && one.scanners.stream()
                                .anyMatch(kept -> kept.id().equals(asked.id()) && (asked.passes() || !kept.passes())));
    }

    /// Returns the least severity with which a push is not published at once.
    private @Nullable Severity severest() {
        return severest(block, review);
    }

    private static boolean isLooser(@Nullable Severity one, @Nullable Severity other) {
        return other != null && (one == null || one.compareTo(other) > 0);
    }

    /// Returns the policy that stops all that one of two stops.
    static @Nullable ScanPolicy and(@Nullable ScanPolicy one, @Nullable ScanPolicy other) {
        return one == null || other == null
                ? one == null ? other : one
                : new ScanPolicy(
                        severest(one.block, other.block),
                        severest(one.review, other.review),
                        Stream.concat(one.scanners.stream(), other.scanners.stream())
                                .distinct()
                                .toList());
    }

    private static @Nullable Severity severest(@Nullable Severity one, @Nullable Severity other) {
        return Stream.of(Optional.ofNullable(one), Optional.ofNullable(other))
                .flatMap(Optional::stream)
                .min(Severity::compareTo)
                .orElse(null);
    }

    /// @param secrets those to show, by scanner
    PolicyRecord.Scan toWire(Map<UUID, String> secrets) {
        return new PolicyRecord.Scan(
                word(block),
                word(review),
                scanners.stream()
                        .map(scanner -> scanner.toWire(secrets.get(scanner.id())))
                        .toList());
    }

    static @Nullable String word(@Nullable Severity severity) {
        return severity == null ? null : severity.toString();
    }
}
