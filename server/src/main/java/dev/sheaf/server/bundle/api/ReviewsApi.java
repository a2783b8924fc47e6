package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Version;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.decision.ReviewDecisions;
import dev.sheaf.server.bundle.decision.ReviewInbox;
import dev.sheaf.server.bundle.decision.ReviewRequests;
import dev.sheaf.server.bundle.decision.VersionRescans;
import dev.sheaf.server.bundle.diff.WhiteSpace;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.bundle.review.ReviewState;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.ActorNames;
import dev.sheaf.server.identity.factor.SecondFactor;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lists pushes that need approval, shows what they change, and decides on them.
public final class ReviewsApi {
    private static final String VERSION = BundleRoutes.BUNDLE + "/versions/{version}";
    private static final int MAX_REASON = 4_000;
    private static final int COPIES = 3; // bytes, text and lines of both sides are in memory together
    private static final Digest NO_DIGEST = Digest.sha256(new byte[0]);

    private final ReviewDecisions decisions;
    private final ReviewRequests requests;
    private final VersionRescans rescans;
    private final ReviewInbox inbox;
    private final ActorNames names;

    public ReviewsApi(
            ReviewDecisions decisions,
            ReviewRequests requests,
            VersionRescans rescans,
            ReviewInbox inbox,
            ActorNames names) {
        this.decisions = decisions;
        this.requests = requests;
        this.rescans = rescans;
        this.inbox = inbox;
        this.names = names;
    }

    public List<Route> routes(BundleRoutes of) {
        return List.of(
                new Route(GET, "/v1/reviews", RoutePermission.READ, this::list),
                new Route(GET, "/v1/organizations/{org_id}/reviews", RoutePermission.READ, this::list),
                new Route(GET, VERSION + "/review", RoutePermission.READ, this::get),
                new Route(GET, VERSION + "/review:diff", RoutePermission.READ, this::diff),
                new Route(POST, VERSION + ":approve", RoutePermission.READ, this::approve),
                new Route(POST, VERSION + ":reject", RoutePermission.READ, this::reject),
                new Route(POST, VERSION + ":withdraw", RoutePermission.WRITE, this::withdraw),
                new Route(POST, VERSION + ":request-review", RoutePermission.WRITE, of.write(this::request)),
                new Route(POST, VERSION + ":rescan", RoutePermission.WRITE, of.write(this::rescan)));
    }

    private Answer list(Call call) {
        var state = call.query("state", ReviewsApi::state).orElse(null);
        boolean mine = call.query("mine", ReviewsApi::flag).orElse(false);
        var caller = call.origin().caller();
        return PageRequest.of(call, "state", "mine")
                .show(
                        (before, limit) -> inbox.list(caller, state, mine, before, limit).stream()
                                .map(review -> record(call, review, List.of(), false))
                                .toList(),
                        ReviewRecord::id);
    }

    private static ReviewState state(String text) {
        return Stream.of(ReviewState.values())
                .filter(state -> state.toString().equals(text))
                .findFirst()
                .orElseThrow(
                        () -> Problem.invalid("unknown", "must be held, published, rejected, withdrawn or expired"));
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Problem.invalid("format", "must be true or false");
        };
    }

    private Answer get(Call call) {
        return shown(call, decisions.get(call.caller(), call.repository(), version(call)), List.of());
    }

    private Answer diff(Call call) {
        decisions.maySee(call.caller(), call.repository());
        var whiteSpace = call.query("whiteSpace", WhiteSpace::parse).orElse(WhiteSpace.COMPARE);
        var review = decisions.get(call.caller(), call.repository(), version(call));
        var change = inbox.change(review, whiteSpace, bytes -> {
            call.pay();
            call.borrow("the comparison", bytes, COPIES);
        });
        return Answer.ok(ReviewRecords.diff(call, review, change)).with("Cache-Control", "private, no-store");
    }

    private Answer approve(Call call) {
        decisions.mayDecide(call.origin(), call.repository());
        var approval = call.json().to(ReviewsApi::approval);
        var done = approve(decisions, call, version(call), approval);
        return shown(call, done.review(), done.warnings());
    }

    /// What an approval says.
    ///
    /// @param isOverride whether it publishes although approvals are missing
    /// @param code for an override; null if none was sent
    public record Approval(
            ReviewDecisions.Decision decision,
            boolean isOverride,
            @Nullable Secret code) {}

    public static Approval approval(RequestFields fields) {
        String code = fields.optional("code", SecondFactor.MAX_CODE);
        return new Approval(
                decision(fields),
                Boolean.TRUE.equals(fields.flag("override")),
                code == null || code.isBlank() ? null : Secret.of(code));
    }

    /// Approves a push, or publishes it although approvals are missing.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [ReviewDecisions#approve],
    /// [ReviewDecisions#override]
    public static ReviewDecisions.Done approve(
            ReviewDecisions decisions, Call call, Version version, Approval approval) {
        var admitting = PassportApi.admitting(call);
        return approval.isOverride()
                ? decisions.override(
                        call.origin(), call.repository(), version, approval.decision(), approval.code(), admitting)
                : decisions.approve(call.origin(), call.repository(), version, approval.decision(), admitting);
    }

    private Answer reject(Call call) {
        decisions.mayDecide(call.origin(), call.repository());
        var decision = call.json().to(ReviewsApi::decision);
        var done = decisions.reject(call.origin(), call.repository(), version(call), decision);
        return shown(call, done.review(), done.warnings());
    }

    private Answer request(Call call, BundleSnapshot bundle) {
        call.jsonOrNothing().finish();
        return shown(call, requests.request(call.origin(), bundle.name(), version(call)), List.of());
    }

    private Answer rescan(Call call, BundleSnapshot bundle) {
        call.jsonOrNothing().finish();
        return Answer.json(202, rescans.rescan(call.origin(), bundle.name(), version(call)));
    }

    private Answer withdraw(Call call) {
        var done = decisions.withdraw(call.origin(), call.repository(), version(call));
        return shown(call, done.review(), List.of());
    }

    public static ReviewDecisions.Decision decision(RequestFields fields) {
        Stream.of("digest", "round")
                .filter(name -> !fields.has(name))
                .forEach(name -> fields.error(name, "required", "is required: it says which content you have seen"));
        Long round = fields.count("round");
        return new ReviewDecisions.Decision(
                fields.has("digest") ? fields.parsed("digest", Digest::parse, NO_DIGEST) : NO_DIGEST,
                round == null ? 0 : (int) Math.min(round, Integer.MAX_VALUE),
                reason(fields));
    }

    private static @Nullable String reason(RequestFields fields) {
        String reason = fields.optional("reason", MAX_REASON);
        return reason == null || reason.isBlank() ? null : reason.strip();
    }

    private static Version version(Call call) {
        return call.parameter("version", Version::parse);
    }

    private Answer shown(Call call, Review review, List<String> warnings) {
        return Answer.ok(record(call, review, warnings, true)).with("Cache-Control", "private, no-store");
    }

    private ReviewRecord record(Call call, Review review, List<String> warnings, boolean withReadme) {
        var made = decisions.decisions(review);
        var actors = made.stream().map(ReviewRows.Decision::by).toList();
        return ReviewRecords.of(
                call,
                review,
                decisions.files(review).size(),
                made,
                names.of(review.organizationId(), actors),
                withReadme ? decisions.reasons(review) : List.of(),
                withReadme ? decisions.scans(review) : List.of(),
                warnings,
                withReadme);
    }
}
