package dev.sheaf.server.bundle.pages.withdraw;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.YankReason;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.Yank;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.edit.EditableBundle;
import dev.sheaf.server.bundle.version.VersionChanges;
import dev.sheaf.server.bundle.version.VersionDeletion;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Yanks, deprecates and deletes versions of a bundle.
public final class VersionPages {
    private static final int MOST_TAGS = 100;
    private static final int MOST_VERSIONS = 100;

    private final BundleReader bundles;
    private final VersionChanges versions;
    private final VersionDeletion deletion;

    VersionPages(BundleReader bundles, VersionChanges versions, VersionDeletion deletion) {
        this.bundles = bundles;
        this.versions = versions;
        this.deletion = deletion;
    }

    /// Changes a version.
    private interface Verb {
        void change(ChangeOrigin origin, RepositoryName bundle, Version version);
    }

    public List<Route> routes(PageRoutes pages) {
        String one = EditableBundle.AT + "/versions/{version}";
        return List.of(
                pages.own(EditableBundle.AT + "/versions", this::list),
                pages.own(one + "/yank", page -> ask(page, "yank", Asked.NONE, FormErrors.NONE)),
                pages.form(one + "/yank", RoutePermission.WRITE, this::yank),
                pages.own(one + "/unyank", page -> askBack(page, "unyank")),
                pages.form(
                        one + "/unyank",
                        RoutePermission.WRITE,
                        page -> change(page, versions::unyank, " can be found by tags and ranges again.")),
                pages.own(one + "/unrecall", page -> askBack(page, "unrecall")),
                pages.own(one + "/deprecate", page -> ask(page, "deprecate", Asked.NONE, FormErrors.NONE)),
                pages.form(one + "/deprecate", RoutePermission.WRITE, this::deprecate),
                pages.own(one + "/undeprecate", page -> askBack(page, "undeprecate")),
                pages.form(
                        one + "/undeprecate",
                        RoutePermission.WRITE,
                        page -> change(page, this::undeprecate, " is no longer deprecated.")),
                pages.own(one + "/delete", page -> ask(page, "delete", Asked.NONE, FormErrors.NONE)),
                pages.form(one + "/delete", RoutePermission.WRITE, this::delete));
    }

    /// The typed fields.
    public record Asked(String reason, String code, String replacement) {
        static final Asked NONE = new Asked("", "", "");

        static Asked of(FormFields form) {
            return new Asked(
                    form.first("reason").or(() -> form.first("message")).orElse(""),
                    form.first("reasonCode").orElse(""),
                    form.first("replacement").orElse(""));
        }
    }

    /// Leads to the list of versions, which has the actions now.
    private Answer list(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        return page.seeOther(edited.home() + "/versions");
    }

    private static ApiPath api(PageCall page, String action) {
        return EditableBundle.api(page, "/versions/{}" + action, page.parameter("version"));
    }

    /// Asks for confirmation, and lists the consequences.
    private Answer ask(PageCall page, String action, Asked asked, FormErrors errors) {
        var edited = EditableBundle.of(page, bundles);
        var found = bundles.known(edited.snapshot(), page.parameter("version"));
        var version = bundles.detail(page, found);
        var tags = bundles.tags(page, edited.snapshot(), MOST_TAGS).stream()
                .filter(tag -> tag.version().equals(version.version()))
                .map(TagStatus::name)
                .toList();
        var others = bundles.versions(page, edited.snapshot(), MOST_VERSIONS).stream()
                .filter(other -> other.yankedAt() == null && !other.version().equals(version.version()))
                .map(VersionSummary::version)
                .toList();
        Integer all = edited.bundle().versionCount();
        String name = edited.name() + ":" + version.version();
        String call = action.equals("delete") ? "DELETE " + api(page, "") : "POST " + api(page, ":" + action);
        return edited.view(page, title(action), "bundle/pages/withdraw/version-" + action)
                .with("version", version)
                .with("tags", tags)
                .with("pulls", bundles.downloads(page, found).total())
                .with("isLast", others.isEmpty() && all != null && all <= MOST_VERSIONS)
                .with("replacement", others.isEmpty() ? "" : others.getFirst())
                .with(
                        "codes",
                        Arrays.stream(YankReason.values())
                                .map(YankReason::toString)
                                .toList())
                .with("asked", asked)
                .with("errors", errors)
                .refused(errors)
                .forMachines(ApiEquivalent.of(call, "sheaf " + action + " " + name))
                .show();
    }

    /// Asks for confirmation to take back a yank or a deprecation.
    private Answer askBack(PageCall page, String action) {
        var edited = EditableBundle.of(page, bundles);
        var version = bundles.detail(page, bundles.known(edited.snapshot(), page.parameter("version")));
        String name = edited.name() + ":" + version.version();
        var call = action.equals("unrecall") ? EditableBundle.api(page, ":unrecall") : api(page, ":" + action);
        return edited.view(page, title(action), "bundle/pages/withdraw/version-back")
                .with("version", version)
                .with("action", action)
                .forMachines(ApiEquivalent.of("POST " + call, "sheaf " + action + " " + name))
                .show();
    }

    private static String title(String action) {
        return switch (action) {
            case "yank" -> "Yank a version";
            case "deprecate" -> "Deprecate a version";
            case "unyank" -> "Undo a yank";
            case "undeprecate" -> "Undo a deprecation";
            case "unrecall" -> "End a recall";
            default -> "Delete a version";
        };
    }

    private Answer yank(PageCall page) {
        var asked = Asked.of(page.form());
        var members = new HashMap<String, @Nullable Object>();
        members.put("reason", orNull(asked.reason()));
        members.put("reasonCode", orNull(asked.code()));
        members.put("replacement", orNull(asked.replacement()));
        try {
            var name = bundles.writable(page).name();
            versions.yank(
                    page.origin(),
                    name,
                    version(page),
                    RequestFields.form(members).to(Yank::parse));
        } catch (ProblemException e) {
            return ask(page, "yank", asked, PageCall.errors(e.problem(), "reason", "reasonCode", "replacement"));
        }
        return done(page, " is yanked. Pinned versions still work.");
    }

    private static Version version(PageCall page) {
        return page.parameter("version", VersionChanges::exact);
    }

    private void undeprecate(ChangeOrigin origin, RepositoryName bundle, Version version) {
        versions.deprecate(origin, bundle, version, null);
    }

    private static @Nullable String orNull(String text) {
        return text.isBlank() ? null : text;
    }

    private Answer deprecate(PageCall page) {
        var form = page.form();
        try {
            var name = bundles.writable(page).name();
            versions.deprecate(page.origin(), name, version(page), EditableBundle.advice(form));
        } catch (ProblemException e) {
            return ask(page, "deprecate", Asked.of(form), PageCall.errors(e.problem(), "message", "replacement"));
        }
        return done(page, " is deprecated from now on.");
    }

    private Answer delete(PageCall page) {
        var form = page.form();
        var asked = Asked.of(form);
        String named = EditableBundle.of(page, bundles).name() + ":" + page.parameter("version");
        if (!form.first("confirm").orElse("").strip().equals(named)) {
            return ask(page, "delete", asked, FormErrors.of("confirm", "That is not its name. Type " + named + "."));
        }
        try {
            var name = bundles.writable(page).name();
            var wanted = new VersionDeletion.Request(version(page), reason(asked.reason()), false, false);
            deletion.version(page.origin(), name, wanted);
        } catch (ProblemException e) {
            return ask(page, "delete", asked, PageCall.errors(e.problem(), "reason"));
        }
        return page.seeOther(
                EditableBundle.at(page, "/versions").toString(),
                PageNotice.ok(page.parameter("version") + " is deleted."));
    }

    /// Reads the reason for a deletion.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed
    static @Nullable String reason(String typed) {
        Map<String, String> members = typed.isBlank() ? Map.of() : Map.of("reason", typed);
        return RequestFields.form(members).to(VersionDeletion::reason);
    }

    private Answer change(PageCall page, Verb verb, String said) {
        var name = bundles.writable(page).name();
        verb.change(page.origin(), name, version(page));
        return done(page, said);
    }

    private static Answer done(PageCall page, String said) {
        return page.seeOther(
                EditableBundle.at(page, "/versions/{}", page.parameter("version"))
                        .toString(),
                PageNotice.ok(page.parameter("version") + said));
    }
}
