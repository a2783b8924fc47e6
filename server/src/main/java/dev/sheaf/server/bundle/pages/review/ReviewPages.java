package dev.sheaf.server.bundle.pages.review;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.passport.PassportChange;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.api.BundleRecords;
import dev.sheaf.server.bundle.api.PassportApi;
import dev.sheaf.server.bundle.api.ReviewRecords;
import dev.sheaf.server.bundle.api.ReviewsApi;
import dev.sheaf.server.bundle.decision.ReviewDecisions;
import dev.sheaf.server.bundle.decision.ReviewInbox;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.PassportView;
import dev.sheaf.server.bundle.pages.compare.AskedComparison;
import dev.sheaf.server.bundle.pages.compare.ShownChanges;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.bundle.review.ReviewState;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The page of a push that needs approval: what it is, what it changes, and the decision.
public final class ReviewPages {
    private static final String ONE = "/{namespace}/{bundle}/reviews/{review_id}";
    private static final Function<String, UUID> ID = PathId.of("review %s");
    private static final int COPIES = 3; // bytes, text and lines of both sides are in memory together
    private static final int ROOM = 8 << 10; // bytes of a page for the list of files
    private static final int ENTRY = 120; // bytes of the elements of an entry
    private static final String APPROVE = "approve";

    private final BundleReader bundles;
    private final ReviewDecisions decisions;
    private final ReviewInbox inbox;

    public ReviewPages(BundleReader bundles, ReviewDecisions decisions, ReviewInbox inbox) {
        this.bundles = bundles;
        this.decisions = decisions;
        this.inbox = inbox;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ONE, page -> show(page, Typed.NOTHING, FormErrors.NONE)),
                pages.form(ONE + "/decide", RoutePermission.READ, this::decide),
                pages.form(ONE + "/override", RoutePermission.READ, this::override),
                pages.form(ONE + "/withdraw", RoutePermission.WRITE, this::withdraw));
    }

    private Review review(PageCall page) {
        return decisions.find(page.caller(), page.call().repository(), page.parameter("review_id", ID));
    }

    private static ApiPath at(Review review) {
        return ApiPath.of(
                "/{}/{}/reviews/{}", review.ref().namespace(), review.ref().bundle(), review.id());
    }

    /// What was typed: the reason of a decision, or of an override.
    private record Typed(String reason, String why) {
        static final Typed NOTHING = new Typed("", "");
    }

    private Answer show(PageCall page, Typed typed, FormErrors errors) {
        var review = review(page);
        var made = decisions.decisions(review);
        var standing = decisions.standing(page.caller(), review);
        String own = page.caller().actor();
        boolean hasApproved = made.stream()
                .anyMatch(one -> one.round() == review.round() && one.by().equals(own));
        page.naming(page.names(Stream.of(
                        Stream.of(review.pushedBy()),
                        standing.needs().by().stream(),
                        made.stream().map(ReviewRows.Decision::by))
                .flatMap(actors -> actors)));
        var view = page.view(review.subject() + " · Review", "bundle/pages/review/review")
                .with("review", review)
                .with("at", at(review).toString())
                .with("inbox", inbox(page, review))
                .with("findings", decisions.reasons(review))
                .with("scans", decisions.scans(review))
                .with("decisions", made)
                .with("standing", standing)
                .with("hasApproved", hasApproved)
                .with("reason", typed.reason())
                .with("why", typed.why())
                .with("errors", errors)
                .in("browse");
        boolean isShown = review.manifestId() != null && review.state() != ReviewState.PUBLISHED;
        if (isShown) {
            var files = decisions.files(review);
            view.with("files", files.size())
                    .with("listed", listed(files))
                    .with("passport", passport(page, review))
                    .with("changes", changes(page, review));
        }
        String name = ShellQuoting.quote(review.subject());
        String api = ApiPath.of(
                        "/v1/namespaces/{}/bundles/{}/versions/{}",
                        review.ref().namespace(),
                        review.ref().bundle(),
                        review.version())
                .toString();
        return view.refused(errors)
                .forMachines(new ApiEquivalent(
                        List.of("GET " + api + "/review", "GET " + api + "/review:diff", "POST " + api + ":approve"),
                        List.of(
                                "sheaf review show " + name,
                                "sheaf review diff " + name,
                                "sheaf review approve " + name + " --digest " + review.digest())))
                .show();
    }

    /// Returns as many files as a page has room for.
    private static List<StoredAsset> listed(List<StoredAsset> files) {
        int room = ROOM;
        int count = 0;
        while (count < files.size() && room > 0) {
            room -= ENTRY + LinePiece.weight(files.get(count).path().value());
            count++;
        }
        return files.subList(0, count);
    }

    /// Returns the path of the organization's list.
    private static String inbox(PageCall page, Review review) {
        return page.viewer()
                .in(review.organizationId().toString())
                .map(User.Belonging::handle)
                .map(org -> ApiPath.of("/organizations/{}/reviews", org).toString())
                .orElse("");
    }

    private ShownChanges changes(PageCall page, Review review) {
        var asked = AskedComparison.of(page, at(review).toString());
        var change = inbox.change(review, asked.whiteSpace(), bytes -> {
            page.call().pay();
            page.call().borrow("the comparison", bytes, COPIES);
        });
        var diff = ReviewRecords.diff(page.call(), review, change);
        return ShownChanges.of(page, bundles, inbox.repository(review), diff, asked, false);
    }

    private PassportView passport(PageCall page, Review review) {
        var found = passports(page, review);
        var from = found == null ? null : found.from();
        var before = found == null ? null : found.before();
        var known = new PassportView.Known(
                review.version().toString(),
                new PassportView.Links(
                        at(review).toString(),
                        "",
                        (path, line) -> at(review).with("file", path).toString()),
                BundleRecords.warnings(decisions.warnings(review)),
                false,
                false,
                from == null ? null : from.version().toString());
        return found == null
                ? PassportView.of(known, null, null)
                : PassportView.of(
                        known,
                        found.sent(),
                        before == null
                                ? null
                                : PassportChange.between(
                                        before.rows(), found.sent().rows()));
    }

    /// Returns null if the node is too busy to read the files, which the page says.
    private ReviewInbox.@Nullable Passports passports(PageCall page, Review review) {
        try {
            return inbox.passports(review, bytes -> {
                page.call().pay();
                page.call().borrow("the passport", bytes, COPIES);
            });
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unavailable || e.problem() instanceof Problem.BlobUnknown) {
                return null;
            }
            throw e;
        }
    }

    private Answer decide(PageCall page) {
        var form = page.form();
        var review = review(page);
        String reason = form.first("reason").orElse("");
        ReviewDecisions.Done done;
        try {
            var members = new HashMap<String, @Nullable Object>();
            members.put("digest", form.first("digest").orElse(""));
            members.put("round", FilledForm.of(form).number("round"));
            members.put("reason", reason.isBlank() ? null : reason.replace("\r\n", "\n"));
            var decision = RequestFields.form(members).to(ReviewsApi::decision);
            done = form.required("decision").equals(APPROVE)
                    ? decisions.approve(
                            page.origin(), review.ref(), review.version(), decision, PassportApi.admitting(page.call()))
                    : decisions.reject(page.origin(), review.ref(), review.version(), decision);
        } catch (ProblemException e) {
            return show(page, new Typed(reason, ""), errors(e.problem()));
        }
        return page.seeOther(at(review).toString(), said(done));
    }

    /// Shows the page again also to those who may not decide, because it says why.
    private static FormErrors errors(Problem problem) {
        return problem instanceof Problem.Forbidden
                ? FormErrors.of(problem, List.of())
                : PageCall.errors(problem, "reason", "why", "code", "sure");
    }

    private static PageNotice said(ReviewDecisions.Done done) {
        var review = done.review();
        return switch (review.state()) {
            case PUBLISHED ->
                new PageNotice(
                        "ok",
                        review.version() + (review.ofPublished() ? " is approved." : " is published."),
                        done.warnings());
            case REJECTED -> PageNotice.ok(review.version() + " is rejected. " + afterwards(review));
            default -> PageNotice.ok("Your approval is noted.");
        };
    }

    /// Publishes a push although approvals are missing.
    private Answer override(PageCall page) {
        var form = page.form();
        var review = review(page);
        String why = form.first("why").orElse("");
        ReviewDecisions.Done done;
        try {
            if (!form.first("sure").orElse("").equals("on")) {
                throw new Problem.ValidationFailed(List.of(new Problem.FieldError(
                                "/sure", "required", "confirm that you publish it without the approvals")))
                        .raise();
            }
            var members = new HashMap<String, @Nullable Object>();
            members.put("digest", form.first("digest").orElse(""));
            members.put("round", FilledForm.of(form).number("round"));
            members.put("override", true);
            members.put("reason", why.isBlank() ? null : why.replace("\r\n", "\n"));
            members.put(
                    "code",
                    form.first("code").map(code -> code.replace(" ", "")).orElse(null));
            var approval = RequestFields.form(members).to(ReviewsApi::approval);
            done = ReviewsApi.approve(decisions, page.call(), review.version(), approval);
        } catch (ProblemException e) {
            return show(page, new Typed("", why), errors(asWhy(e.problem())));
        }
        return page.seeOther(at(review).toString(), said(done));
    }

    /// Returns a refusal with the field as the form of an override names it.
    private static Problem asWhy(Problem problem) {
        return problem instanceof Problem.ValidationFailed failed
                ? new Problem.ValidationFailed(failed.errors().stream()
                        .map(error -> error.pointer().equals("/reason")
                                ? new Problem.FieldError("/why", error.code(), error.detail())
                                : error)
                        .toList())
                : problem;
    }

    private static String afterwards(Review review) {
        return review.ofPublished() ? "Readers have it as before." : "Its number is free again.";
    }

    private Answer withdraw(PageCall page) {
        page.form();
        var review = review(page);
        try {
            decisions.withdraw(page.origin(), review.ref(), review.version());
        } catch (ProblemException e) {
            return show(page, Typed.NOTHING, errors(e.problem()));
        }
        return page.seeOther(
                at(review).toString(), PageNotice.ok(review.version() + " is withdrawn. " + afterwards(review)));
    }
}
