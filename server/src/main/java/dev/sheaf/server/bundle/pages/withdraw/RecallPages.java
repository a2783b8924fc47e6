package dev.sheaf.server.bundle.pages.withdraw;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.wire.bundle.VersionRecall;
import dev.sheaf.server.bundle.Recall;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.edit.EditableBundle;
import dev.sheaf.server.bundle.recall.RecallChanges;
import dev.sheaf.server.bundle.recall.RecallRequest;
import dev.sheaf.server.bundle.version.VersionChanges;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Recalls a version of a bundle, and ends its recall.
public final class RecallPages {
    private static final String VERSION = EditableBundle.AT + "/versions/{version}";

    private final BundleReader bundles;
    private final RecallChanges recalls;

    RecallPages(BundleReader bundles, RecallChanges recalls) {
        this.bundles = bundles;
        this.recalls = recalls;
    }

    List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(VERSION + "/recall", page -> ask(page, null, FormErrors.NONE)),
                pages.form(VERSION + "/recall", RoutePermission.ADMIN, this::recall),
                pages.form(VERSION + "/unrecall", RoutePermission.ADMIN, this::unrecall));
    }

    /// The typed fields.
    public record Asked(String severity, String reason, String replacement, String advisory) {
        static final Asked NONE = new Asked(RecallSeverity.HIGH.toString(), "", "", "");

        /// Returns what a version's recall says, to change it.
        static Asked of(@Nullable VersionRecall recall) {
            return recall == null
                    ? NONE
                    : new Asked(
                            recall.severity(),
                            recall.reason(),
                            PageFormat.text(recall.replacement()),
                            PageFormat.text(recall.advisory()));
        }

        static Asked of(FormFields form) {
            return new Asked(
                    form.first("severity").orElse(""),
                    form.first("reason").orElse(""),
                    form.first("replacement").orElse(""),
                    form.first("advisory").orElse(""));
        }

        Recall recall() {
            var members = new HashMap<String, @Nullable Object>();
            members.put("severity", severity);
            members.put("reason", reason);
            members.put("replacement", replacement.isBlank() ? null : replacement);
            members.put("advisory", advisory.isBlank() ? null : advisory);
            return RequestFields.form(members).to(Recall::parse);
        }
    }

    /// @param typed null for the form as it is first
    private Answer ask(PageCall page, @Nullable Asked typed, FormErrors errors) {
        var edited = EditableBundle.of(page, bundles);
        var version = bundles.detail(page, bundles.known(edited.snapshot(), page.parameter("version")));
        String name = edited.name() + ":" + version.version();
        return edited.view(page, "Recall a version", "bundle/pages/withdraw/version-recall")
                .with("version", version)
                .with(
                        "severities",
                        Arrays.stream(RecallSeverity.values())
                                .map(RecallSeverity::toString)
                                .toList())
                .with("asked", typed == null ? Asked.of(version.recall()) : typed)
                .with("errors", errors)
                .refused(errors)
                .forMachines(ApiEquivalent.of(
                        "POST " + EditableBundle.api(page, ":recall"),
                        "sheaf recall " + ShellQuoting.quote(name) + " --severity high --reason 'Sends keys away'"))
                .show();
    }

    private Answer recall(PageCall page) {
        var form = page.form();
        var asked = Asked.of(form);
        String named = EditableBundle.of(page, bundles).name() + ":" + page.parameter("version");
        if (!form.first("confirm").orElse("").strip().equals(named)) {
            return ask(page, asked, FormErrors.of("confirm", "That is not its name. Type " + named + "."));
        }
        try {
            var name = bundles.writable(page).name();
            var version = page.parameter("version", VersionChanges::exact);
            recalls.recall(
                    page.origin(),
                    name,
                    new RecallRequest(List.of(version), List.of(), null, List.of(), asked.recall(), false));
        } catch (ProblemException e) {
            return ask(page, asked, PageCall.errors(e.problem(), "severity", "reason", "replacement", "advisory"));
        }
        return done(page, " is recalled. Nobody gets its files any more.");
    }

    private Answer unrecall(PageCall page) {
        var name = bundles.writable(page).name();
        recalls.unrecall(page.origin(), name, List.of(page.parameter("version", VersionChanges::exact)));
        return done(page, " is not recalled any more.");
    }

    private static Answer done(PageCall page, String said) {
        return page.seeOther(
                EditableBundle.at(page, "/versions/{}", page.parameter("version"))
                        .toString(),
                PageNotice.ok(page.parameter("version") + said));
    }
}
