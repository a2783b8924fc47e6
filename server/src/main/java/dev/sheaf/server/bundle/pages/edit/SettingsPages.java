package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.BundlePolicyForm;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The description of a bundle, its visibility, and its deprecation.
public final class SettingsPages {
    /// The error if somebody else saved a change after the page was shown.
    public static final FormErrors CHANGED = new FormErrors(
            Map.of(),
            List.of("Somebody else changed the bundle after you opened this page. Your input is below; if you save"
                    + " it, it replaces their changes."));

    private final BundleReader bundles;
    private final BundleEdits edits;
    private final BundlePolicies policies;

    SettingsPages(BundleReader bundles, BundleEdits edits, BundlePolicies policies) {
        this.bundles = bundles;
        this.edits = edits;
        this.policies = policies;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(EditableBundle.AT, this::show),
                pages.form(EditableBundle.AT, RoutePermission.WRITE, this::save),
                pages.form(EditableBundle.AT + "/visibility", RoutePermission.WRITE, this::saveVisibility),
                pages.form(EditableBundle.AT + "/deprecation", RoutePermission.WRITE, this::saveDeprecation),
                pages.form(EditableBundle.AT + "/policy", RoutePermission.ADMIN, this::savePolicy),
                pages.form(EditableBundle.AT + "/policy/confirm", RoutePermission.ADMIN, this::confirmPolicy));
    }

    /// The fields of the form for the description.
    public record Texts(
            String name,
            String description,
            String keywords,
            String license,
            String repositoryUrl,
            String homepageUrl,
            String etag) {
        static Texts of(EditableBundle edited) {
            var bundle = edited.bundle();
            var keywords = bundle.keywords();
            return new Texts(
                    bundle.name(),
                    PageFormat.text(bundle.description()),
                    keywords == null ? "" : String.join(", ", keywords),
                    PageFormat.text(bundle.license()),
                    PageFormat.text(bundle.repositoryUrl()),
                    PageFormat.text(bundle.homepageUrl()),
                    edited.etag());
        }

        static Texts of(FormFields form) {
            return new Texts(
                    form.first("name").orElse(""),
                    form.first("description").orElse("").replace("\r\n", "\n"),
                    form.first("keywords").orElse(""),
                    form.first("license").orElse(""),
                    form.first("repositoryUrl").orElse(""),
                    form.first("homepageUrl").orElse(""),
                    form.first("etag").orElse(""));
        }

        /// Returns the same fields, to be saved over the current state.
        Texts over(EditableBundle now) {
            return new Texts(name, description, keywords, license, repositoryUrl, homepageUrl, now.etag());
        }

        /// Returns the JSON of a patch; empty fields are removed.
        Map<String, @Nullable Object> members() {
            var members = new HashMap<String, @Nullable Object>();
            members.put("name", name);
            members.put("description", orNull(description));
            members.put("license", orNull(license));
            members.put("repositoryUrl", orNull(repositoryUrl));
            members.put("homepageUrl", orNull(homepageUrl));
            var words = Arrays.stream(keywords.split(","))
                    .map(String::strip)
                    .filter(word -> !word.isEmpty())
                    .toList();
            members.put("keywords", words.isEmpty() ? null : words);
            return members;
        }

        private static @Nullable String orNull(String text) {
            return text.isBlank() ? null : text;
        }
    }

    private Answer show(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        return show(page, edited, Texts.of(edited), FormErrors.NONE);
    }

    private Answer show(PageCall page, EditableBundle edited, Texts texts, FormErrors errors) {
        return show(page, edited, texts, null, errors);
    }

    /// @param typed the form of the review policy, as it was typed; null if it is another form
    private Answer show(
            PageCall page, EditableBundle edited, Texts texts, @Nullable FormFields typed, FormErrors errors) {
        var view = edited.view(page, "Settings", "bundle/pages/edit/settings")
                .with("texts", texts)
                .with("errors", errors)
                .with("advice", PageFormat.text(advice(edited.bundle(), true)))
                .with("replacement", PageFormat.text(advice(edited.bundle(), false)))
                .with("keys", keys(page, edited));
        if (page.may(RoutePermission.ADMIN)) {
            view.with("policy", policy(page, edited, typed));
        }
        return view.refused(errors)
                .forMachines(new ApiEquivalent(
                        List.of("PATCH " + EditableBundle.api(page, "")),
                        List.of(
                                "sheaf edit " + edited.name() + " --description 'What it is for'",
                                "sheaf visibility " + edited.name() + " public")))
                .show();
    }

    /// Returns the link to the keys that can access the bundle; empty if the viewer may not see keys.
    private static String keys(PageCall page, EditableBundle edited) {
        return page.call().caller() instanceof Caller.Known known
                ? page.viewer()
                        .in(known.organizationId().toString())
                        .map(User.Belonging::handle)
                        .filter(org -> page.may(RoutePermission.ADMIN))
                        .map(org -> ApiPath.of("/organizations/{}/keys", org)
                                .with("bundle", edited.name())
                                .toString())
                        .orElse("")
                : "";
    }

    private static @Nullable String advice(BundleRecord bundle, boolean message) {
        var deprecation = bundle.deprecation();
        return deprecation == null ? null : message ? deprecation.message() : deprecation.replacement();
    }

    private BundlePolicyForm policy(PageCall page, EditableBundle edited, @Nullable FormFields typed) {
        boolean isOwner = page.viewer()
                .in(edited.snapshot().organizationId().toString())
                .filter(own -> own.role().equals(Role.OWNER.toString()))
                .isPresent();
        var stored = policies.get(BundlePolicies.Place.of(edited.snapshot().name()));
        var policy = BundlePolicyForm.of(page, stored, isOwner);
        var form = typed == null ? policy : policy.typed(typed);
        page.naming(page.names(form.actors()));
        return form;
    }

    private Answer savePolicy(PageCall page) {
        var form = page.form();
        return changePolicy(page, form, place -> BundlePolicyForm.save(page, policies, place));
    }

    private Answer confirmPolicy(PageCall page) {
        return changePolicy(page, null, place -> BundlePolicyForm.confirm(page, policies, place));
    }

    private Answer changePolicy(
            PageCall page, @Nullable FormFields typed, Function<BundlePolicies.Place, PageNotice> change) {
        var name = bundles.writable(page).name();
        try {
            var said = change.apply(BundlePolicies.Place.of(name));
            return page.seeOther(EditableBundle.at(page, "/settings").toString(), said);
        } catch (ProblemException e) {
            var edited = EditableBundle.of(page, bundles);
            return show(page, edited, Texts.of(edited), typed, BundlePolicyForm.errors(e.problem()));
        }
    }

    private Answer save(PageCall page) {
        var texts = Texts.of(page.form());
        try {
            EditableBundle.change(page, bundles, edits, texts.etag(), texts.members());
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.PreconditionFailed) {
                var now = EditableBundle.of(page, bundles);
                return show(page, now, texts.over(now), CHANGED.because(e.problem()));
            }
            var errors = PageCall.errors(
                    e.problem(), "name", "description", "keywords", "license", "repositoryUrl", "homepageUrl");
            return show(page, EditableBundle.of(page, bundles), texts, errors);
        }
        return page.seeOther(
                EditableBundle.at(page, "/settings").toString(), PageNotice.ok("The description is saved."));
    }

    private Answer saveVisibility(PageCall page) {
        String visibility = page.form().first("visibility").orElse("");
        try {
            EditableBundle.change(page, bundles, edits, "", Map.of("visibility", visibility));
        } catch (ProblemException e) {
            var edited = EditableBundle.of(page, bundles);
            return show(page, edited, Texts.of(edited), PageCall.errors(e.problem(), "visibility"));
        }
        return page.seeOther(
                EditableBundle.at(page, "/settings").toString(),
                PageNotice.ok("The bundle is " + visibility + " from now on."));
    }

    private Answer saveDeprecation(PageCall page) {
        var form = page.form();
        boolean isOver = form.first("over").isPresent();
        try {
            var name = bundles.writable(page).name();
            edits.deprecate(page.origin(), name, isOver ? null : EditableBundle.advice(form));
        } catch (ProblemException e) {
            var edited = EditableBundle.of(page, bundles);
            return show(page, edited, Texts.of(edited), PageCall.errors(e.problem(), "message", "replacement"));
        }
        return page.seeOther(
                EditableBundle.at(page, "/settings").toString(),
                PageNotice.ok(
                        isOver
                                ? "The bundle is no longer deprecated."
                                : "Everybody who resolves the bundle gets this message from now on."));
    }
}
