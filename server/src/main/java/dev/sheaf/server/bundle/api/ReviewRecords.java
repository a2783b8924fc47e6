package dev.sheaf.server.bundle.api;

import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.bundle.decision.ReviewInbox;
import dev.sheaf.server.bundle.review.PushScan;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import java.util.List;
import java.util.Map;

/// Converts pushes that need approval to the records that the API and the pages show.
public final class ReviewRecords {
    private ReviewRecords() {}

    /// Returns the page of a review in the console.
    public static String url(Call call, Review review) {
        return call.baseUrl() + "/" + review.ref() + "/reviews/" + review.id();
    }

    /// Returns the answer to a push that needs approval.
    static Answer held(Call call, Review review) {
        return Answer.json(202, heldVersion(call, review));
    }

    /// Returns the record of a push that needs approval, for its publisher.
    public static HeldVersion heldVersion(Call call, Review review) {
        String url = url(call, review);
        return new HeldVersion(
                review.ref().namespace().value(),
                review.ref().bundle().value(),
                review.version().toString(),
                review.digest().toString(),
                new HeldVersion.Held(review.id(), url, review.state().toString(), review.round(), review.expiresAt()),
                sentence(call, review));
    }

    /// Returns the same in a sentence.
    public static String sentence(Call call, Review review) {
        return "version " + review.version() + " of " + review.ref() + " is held for review, and nobody gets it until "
                + (review.approvals() == 0
                        ? "the scanners have allowed"
                        : review.approvals() == 1 ? "somebody approves" : review.approvals() + " people approve")
                + " it: " + url(call, review);
    }

    /// Returns what a push changes.
    public static VersionDiff diff(Call call, Review review, ReviewInbox.Change change) {
        var from = change.from();
        return BundleRecords.diff(
                call,
                review.ref(),
                from == null
                        ? null
                        : new VersionDiff.Side(
                                from.version().toString(), from.digest().toString()),
                new VersionDiff.Side(
                        review.version().toString(), review.digest().toString()),
                BundleRecords.requireChanges(change.before(), review.required()),
                change.result());
    }

    /// @param names the names of people by actor
    /// @param reasons the findings for which it waits
    /// @param scans what scanners say of it
    /// @param warnings what an approval could not do
    /// @param withReadme whether to show the README of the push
    public static ReviewRecord of(
            Call call,
            Review review,
            int files,
            List<ReviewRows.Decision> decisions,
            Map<String, String> names,
            List<ScanFinding> reasons,
            List<PushScan> scans,
            List<String> warnings,
            boolean withReadme) {
        return new ReviewRecord(
                review.id(),
                review.ref().namespace().value(),
                review.ref().bundle().value(),
                review.version().toString(),
                review.digest().toString(),
                review.state().toString(),
                review.round(),
                review.approvals(),
                review.reviewers().lines().toList(),
                review.name(),
                review.description(),
                String.valueOf(review.visibility() == null ? Visibility.PRIVATE : review.visibility()),
                withReadme ? review.readmeContent() : null,
                review.message(),
                review.wanted().stream().map(Review.Wanted::name).toList(),
                review.size(),
                files,
                review.pushedBy(),
                review.pushedAt(),
                review.expiresAt(),
                review.endedAt(),
                decisions.stream().map(one -> decision(one, names)).toList(),
                url(call, review),
                reasons,
                scans.stream()
                        .map(scan -> new ReviewRecord.Scan(scan.scanner(), scan.state(), scan.endedAt()))
                        .toList(),
                warnings,
                BundleRecords.requires(review.required()),
                review.ofPublished());
    }

    private static ReviewRecord.Decision decision(ReviewRows.Decision one, Map<String, String> names) {
        String actor = one.by();
        return new ReviewRecord.Decision(
                one.round(), actor, names.get(actor), one.decision(), one.reason(), one.createdAt());
    }
}
