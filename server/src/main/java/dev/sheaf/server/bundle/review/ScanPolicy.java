package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.ScanFinding;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What findings in a new version change.
///
/// @param block the least severity with which it is refused; null if no finding refuses it
/// @param review the least severity with which it needs approval; null if no finding asks for that
public record ScanPolicy(@Nullable Severity block, @Nullable Severity review) {
    /// A rule of which only people can say whether it is right, so that it blocks nothing.
    private static final String LOOKALIKE = "lookalike-host";

    /// Reads the member `scan` of a policy; null if findings change nothing.
    static @Nullable ScanPolicy parse(RequestFields policy) {
        var fields = policy.object("scan");
        if (fields == null) {
            return null;
        }
        fields.only(Set.of("block", "review"));
        var found = new ScanPolicy(
                fields.optional("block", ScanPolicy::severity), fields.optional("review", ScanPolicy::severity));
        return found.orNull();
    }

    private static Severity severity(String text) {
        return WireWords.find(Severity.class, text)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(Severity.class)));
    }

    private @Nullable ScanPolicy orNull() {
        return block == null && review == null ? null : this;
    }

    /// Reads what [#block] and [#review] are in the database; null if both are null.
    static @Nullable ScanPolicy stored(@Nullable String block, @Nullable String review) {
        return new ScanPolicy(known(block), known(review)).orNull();
    }

    private static @Nullable Severity known(@Nullable String word) {
        return word == null ? null : WireWords.find(Severity.class, word).orElse(Severity.INFO);
    }

    /// Returns whether people must be able to approve what this holds.
    boolean asksPeople() {
        return review != null;
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
                .filter(finding ->
                        reasons.contains(finding) || least != null && blocks(finding, least))
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
                && (other.review != null && (one == null || one.review == null) // what is not read would pass
                        || isLooser(one == null ? null : one.block, other.block)
                        || isLooser(one == null ? null : one.severest(), other.severest()));
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
                : new ScanPolicy(severest(one.block, other.block), severest(one.review, other.review));
    }

    private static @Nullable Severity severest(@Nullable Severity one, @Nullable Severity other) {
        return Stream.of(Optional.ofNullable(one), Optional.ofNullable(other))
                .flatMap(Optional::stream)
                .min(Severity::compareTo)
                .orElse(null);
    }

    PolicyRecord.Scan toWire() {
        return new PolicyRecord.Scan(word(block), word(review));
    }

    static @Nullable String word(@Nullable Severity severity) {
        return severity == null ? null : severity.toString();
    }
}
