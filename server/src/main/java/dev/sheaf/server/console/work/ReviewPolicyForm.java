package dev.sheaf.server.console.work;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.bundle.ReviewPolicyRecord;
import dev.sheaf.server.bundle.review.ReviewPolicies;
import dev.sheaf.server.bundle.review.ReviewPolicy;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageFrame;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.http.message.ConditionalWrite;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The form with which admins say which pushes need approval.
///
/// @param now the policy as it is stored
/// @param isOn, approvals, by, isOwnAllowed, expires the fields
/// @param mayConfirm whether the viewer may make a looser policy apply now
public record ReviewPolicyForm(
        ReviewPolicyRecord now,
        boolean isOn,
        String approvals,
        List<String> by,
        boolean isOwnAllowed,
        String expires,
        boolean mayConfirm) {
    private static final String[] FIELDS = {"approvals", "by", "notBy", "expires"};
    private static final ReviewPolicyRecord.Review USUAL =
            new ReviewPolicyRecord.Review(1, List.of("admin", "owner"), "publisher", "P14D");

    public ReviewPolicyForm {
        by = List.copyOf(by);
    }

    /// @param isOwner whether the viewer is an owner of the organization
    public static ReviewPolicyForm of(PageCall page, ReviewPolicyRecord now, boolean isOwner) {
        var review = now.review();
        var shown = review == null ? USUAL : review;
        var pending = now.pending();
        return new ReviewPolicyForm(
                now,
                review != null,
                Integer.toString(shown.approvals()),
                shown.by(),
                !shown.notBy().equals("publisher"),
                PeriodField.days(shown.expires()),
                isOwner && pending != null && !page.caller().actor().equals(pending.requestedBy()));
    }

    /// Returns the same with the fields as they were typed.
    public ReviewPolicyForm typed(FormFields form) {
        return new ReviewPolicyForm(
                now,
                form.first("review").isPresent(),
                form.first("approvals").orElse(""),
                form.all("by"),
                form.first("own").isPresent(),
                form.first("expires").orElse(""),
                mayConfirm);
    }

    /// Stores the policy of a form.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [ReviewPolicies#set]
    public static PageNotice save(PageCall page, ReviewPolicies policies, ReviewPolicies.Place place) {
        var form = page.form();
        var members = new HashMap<String, @Nullable Object>();
        members.put("review", form.first("review").isPresent() ? review(form) : null);
        var policy = RequestFields.patch(members).to(ReviewPolicy::parse);
        var etag = form.first("etag").orElse("");
        var saved = policies.set(page.origin(), place, policy, ConditionalWrite.of(etag));
        return PageNotice.ok(
                saved.pending() == null
                        ? "The review policy applies to new versions from now on."
                        : "The looser review policy applies in a day, or as soon as a second owner confirms it.");
    }

    private static Map<String, Object> review(FormFields form) {
        var review = new HashMap<String, Object>();
        var filled = FilledForm.of(form);
        var approvals = filled.number("approvals");
        if (approvals != null) {
            review.put("approvals", approvals);
        }
        review.put("by", form.all("by"));
        review.put("notBy", form.first("own").isPresent() ? "nobody" : "publisher");
        String expires = PeriodField.period(filled.of("expires"));
        if (expires != null) {
            review.put("expires", expires);
        }
        return review;
    }

    /// Makes a looser policy apply now.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [ReviewPolicies#confirm]
    public static PageNotice confirm(PageCall page, ReviewPolicies policies, ReviewPolicies.Place place) {
        var etag = page.form().first("etag").orElse("");
        policies.confirm(page.origin(), place, ConditionalWrite.of(etag));
        return PageNotice.ok("The looser review policy applies from now on.");
    }

    /// Returns a refusal as errors of this form.
    public static FormErrors errors(Problem problem) {
        if (problem instanceof Problem.ValidationFailed failed) {
            var own = failed.errors().stream()
                    .map(error -> new Problem.FieldError(
                            error.pointer().replaceFirst("^/review/", "/"), error.code(), error.detail()))
                    .toList();
            return PageCall.errors(new Problem.ValidationFailed(own), FIELDS);
        }
        return problem instanceof Problem.Forbidden
                ? FormErrors.of(problem, List.of())
                : PageCall.errors(problem, FIELDS);
    }

    public String etag() {
        return ConditionalWrite.etag(now);
    }

    /// Returns who can be chosen: the roles, and the people whom the policy names.
    public List<String> everybody() {
        return Stream.concat(Arrays.stream(Role.values()).map(Role::toString), by.stream())
                .distinct()
                .toList();
    }

    /// Returns the actors that the form names.
    public Stream<@Nullable String> actors() {
        var pending = now.pending();
        return Stream.of(
                        by.stream(),
                        Stream.ofNullable(pending == null ? null : pending.requestedBy()),
                        pending == null || pending.review() == null
                                ? Stream.<String>empty()
                                : pending.review().by().stream())
                .flatMap(all -> all);
    }

    /// Says what new versions need.
    ///
    /// @param review null if they need nothing
    public static String words(PageFrame frame, ReviewPolicyRecord.@Nullable Review review) {
        return review == null
                ? "no approval"
                : PageFormat.count(review.approvals(), "approval", "approvals") + " by "
                        + review.by().stream().map(who -> frame.names().of(who)).collect(Collectors.joining(", "));
    }
}
