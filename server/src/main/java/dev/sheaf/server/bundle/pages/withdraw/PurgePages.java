package dev.sheaf.server.bundle.pages.withdraw;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.admin.PurgeReport;
import dev.sheaf.server.bundle.api.BundleRecords;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.edit.EditableBundle;
import dev.sheaf.server.bundle.version.VersionChanges;
import dev.sheaf.server.bundle.version.VersionDeletion;
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
import java.util.ArrayList;
import java.util.List;

/// Deletes a version together with its bytes, which cannot be undone.
final class PurgePages {
    private static final String PURGE = EditableBundle.AT + "/versions/{version}/purge";
    private static final int NAMED = 10; // holders

    private final BundleReader bundles;
    private final VersionDeletion deletion;

    PurgePages(BundleReader bundles, VersionDeletion deletion) {
        this.bundles = bundles;
        this.deletion = deletion;
    }

    List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(PURGE, page -> ask(page, "", FormErrors.NONE)),
                pages.form(PURGE, RoutePermission.WRITE, this::purge));
    }

    private Answer ask(PageCall page, String reason, FormErrors errors) {
        var edited = EditableBundle.of(page, bundles);
        var version = bundles.known(edited.snapshot(), page.parameter("version"))
                .resolved()
                .version()
                .version()
                .toString();
        String name = edited.name() + ":" + version;
        return edited.view(page, "Purge a version", "bundle/pages/withdraw/version-purge")
                .with("version", version)
                .with("name", name)
                .with("reason", reason)
                .with("errors", errors)
                .refused(errors)
                .forMachines(ApiEquivalent.of(
                        "DELETE "
                                + EditableBundle.api(page, "/versions/{}", version)
                                        .with("purge", "true"),
                        "sheaf delete " + ShellQuoting.quote(name) + " --purge --reason 'Held a password'"))
                .show();
    }

    private Answer purge(PageCall page) {
        var form = page.form();
        String reason = form.first("reason").orElse("");
        var edited = EditableBundle.of(page, bundles);
        String name = edited.name() + ":" + page.parameter("version");
        if (!form.first("confirm").orElse("").strip().equals(name)) {
            return ask(page, reason, FormErrors.of("confirm", "That is not its name. Type " + name + "."));
        }
        PurgeReport report;
        try {
            var wanted = new VersionDeletion.Request(
                    page.parameter("version", VersionChanges::exact), VersionPages.reason(reason), true, true);
            var bundle = edited.snapshot().name();
            report = BundleRecords.purge(bundle, deletion.version(page.origin(), bundle, wanted));
        } catch (ProblemException e) {
            return ask(page, reason, PageCall.errors(e.problem(), "reason"));
        }
        return page.seeOther(EditableBundle.at(page, "/versions").toString(), notice(name, report));
    }

    /// Reports what was removed, and what had to stay.
    private static PageNotice notice(String name, PurgeReport report) {
        var lines = new ArrayList<String>();
        lines.add(PageFormat.count(report.removed().size(), "blob is", "blobs are") + " removed.");
        if (!report.workingAssets().isEmpty()) {
            lines.add("They were also removed from the working files: "
                    + PageFormat.count(report.workingAssets().size(), "file", "files") + ".");
        }
        if (!report.pending().isEmpty()) {
            lines.add(PageFormat.count(report.pending().size(), "blob", "blobs")
                    + " could not be removed from the store yet; the registry tries again every minute.");
        }
        if (!report.kept().isEmpty()) {
            var holders = report.kept().stream()
                    .flatMap(kept -> kept.holders().stream())
                    .distinct()
                    .limit(NAMED)
                    .toList();
            lines.add(PageFormat.count(report.kept().size(), "blob stays", "blobs stay") + ", because these need it: "
                    + String.join(", ", holders) + ".");
        }
        return new PageNotice(report.kept().isEmpty() ? "ok" : "warn", name + " is purged.", lines);
    }
}
