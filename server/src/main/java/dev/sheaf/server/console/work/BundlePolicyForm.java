package dev.sheaf.server.console.work;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageFrame;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.http.message.ConditionalWrite;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The form with which admins say which pushes are refused, and which need approval.
///
/// @param now the policy as it is stored
/// @param isOn, approvals, by, isOwnAllowed, expires, block, hold the fields
/// @param mayConfirm whether the viewer may make a looser policy apply now
public record BundlePolicyForm(
        PolicyRecord now,
        boolean isOn,
        String approvals,
        List<String> by,
        boolean isOwnAllowed,
        String expires,
        String block,
        String hold,
        boolean mayConfirm) {
    private static final String[] FIELDS = {"approvals", "by", "notBy", "expires", "block", "hold"};
    private static final List<String> SEVERITIES = List.of("high", "medium", "low", "info");
    private static final PolicyRecord.Review USUAL =
            new PolicyRecord.Review(1, List.of("admin", "owner"), "publisher", "P14D");

    public BundlePolicyForm {
        by = List.copyOf(by);
    }

    /// @param isOwner whether the viewer is an owner of the organization
    public static BundlePolicyForm of(PageCall page, PolicyRecord now, boolean isOwner) {
        var review = now.review();
        var shown = review == null ? USUAL : review;
        var pending = now.pending();
        var scan = Objects.requireNonNullElse(now.scan(), new PolicyRecord.Scan(null, null));
        return new BundlePolicyForm(
                now,
                review != null,
                Integer.toString(shown.approvals()),
                shown.by(),
                !shown.notBy().equals("publisher"),
                PeriodField.days(shown.expires()),
                Objects.requireNonNullElse(scan.block(), ""),
                Objects.requireNonNullElse(scan.review(), ""),
                isOwner && pending != null && !page.caller().actor().equals(pending.requestedBy()));
    }

    /// Returns the same with the fields as they were typed.
    public BundlePolicyForm typed(FormFields form) {
        return new BundlePolicyForm(
                now,
                form.first("review").isPresent(),
                form.first("approvals").orElse(""),
                form.all("by"),
                form.first("own").isPresent(),
                form.first("expires").orElse(""),
                form.first("block").orElse(""),
                form.first("hold").orElse(""),
                mayConfirm);
    }

    /// Stores the policy of a form.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [BundlePolicies#set]
    public static PageNotice save(PageCall page, BundlePolicies policies, BundlePolicies.Place place) {
        var form = page.form();
        var members = new HashMap<String, @Nullable Object>();
        members.put("review", form.first("review").isPresent() ? review(form) : null);
        if (form.first("block").isPresent()) {
            members.put("scan", scan(form));
        }
        var change = policies.change(RequestFields.patch(members));
        var etag = form.first("etag").orElse("");
        var saved = policies.set(page.origin(), place, change, ConditionalWrite.of(etag));
        return PageNotice.ok(
                saved.pending() == null
                        ? "The policy applies to new versions from now on."
                        : "The looser policy applies in a day, or as soon as a second owner confirms it.");
    }

    private static Map<String, Object> scan(FormFields form) {
        var scan = new HashMap<String, Object>();
        form.first("block").filter(word -> !word.isEmpty()).ifPresent(word -> scan.put("block", word));
        form.first("hold").filter(word -> !word.isEmpty()).ifPresent(word -> scan.put("review", word));
        return scan;
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
    /// @throws dev.sheaf.model.ProblemException those of [BundlePolicies#confirm]
    public static PageNotice confirm(PageCall page, BundlePolicies policies, BundlePolicies.Place place) {
        var etag = page.form().first("etag").orElse("");
        policies.confirm(page.origin(), place, ConditionalWrite.of(etag));
        return PageNotice.ok("The looser policy applies from now on.");
    }

    /// Returns a refusal as errors of this form.
    public static FormErrors errors(Problem problem) {
        if (problem instanceof Problem.ValidationFailed failed) {
            var own = failed.errors().stream()
                    .map(error -> new Problem.FieldError(
                            error.pointer()
                                    .replaceFirst("^/scan/review", "/hold")
                                    .replaceFirst("^/(?:review|scan)/", "/"),
                            error.code(),
                            error.detail()))
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

    /// Returns the severities that can be chosen, the worst first.
    public List<String> severities() {
        return SEVERITIES;
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

    /// Returns what the form does not change: rules, requirements, scanners.
    public static List<String> unchanged(PolicyRecord now) {
        var scan = now.scan();
        var lines = new ArrayList<>(rules(now.review(), now.requires()));
        if (scan != null) {
            scan.scanners()
                    .forEach(scanner -> lines.add("The scanner " + scanner.name() + " at " + scanner.url()
                            + " is asked about each push. Without its answer, "
                            + ("pass".equals(scanner.onFailure()) ? "the push passes." : "people decide.")));
        }
        return lines;
    }

    /// Says what new versions need.
    ///
    /// @param review null if they need no approval
    /// @param scan null if findings change nothing
    public static String words(
            PageFrame frame, PolicyRecord.@Nullable Review review, PolicyRecord.@Nullable Scan scan) {
        String block =
                scan == null || scan.block() == null ? "" : ", no finding of severity " + scan.block() + " or worse";
        String hold = scan == null || scan.review() == null
                ? ""
                : ", approval with findings of severity " + scan.review() + " or worse";
        return words(frame, review) + block + hold;
    }

    /// Says which rules approve pushes without people, and what may be required.
    public static List<String> rules(PolicyRecord.@Nullable Review review, @Nullable String requires) {
        var rules = review == null || review.auto() == null ? List.<PolicyRecord.Auto>of() : review.auto();
        return Stream.concat(
                        rules.stream()
                                .map(rule -> "Approved without people: "
                                        + Stream.of(
                                                        rule.publisher() == null ? "" : "pushed by " + rule.publisher(),
                                                        rule.paths() == null
                                                                        || rule.paths()
                                                                                .isEmpty()
                                                                ? ""
                                                                : "changes only in " + String.join(", ", rule.paths()),
                                                        Boolean.FALSE.equals(rule.noNewCapabilities())
                                                                ? ""
                                                                : "no new capabilities",
                                                        "findings up to " + rule.maxFinding())
                                                .filter(words -> !words.isEmpty())
                                                .collect(Collectors.joining("; "))),
                        Stream.ofNullable(requires)
                                .map(word -> "Only " + word + " versions of other bundles may be required"))
                .toList();
    }

    private static String words(PageFrame frame, PolicyRecord.@Nullable Review review) {
        return review == null
                ? "no approval"
                : PageFormat.count(review.approvals(), "approval", "approvals") + " by "
                        + review.by().stream().map(who -> frame.names().of(who)).collect(Collectors.joining(", "));
    }
}
