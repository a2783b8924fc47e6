package dev.sheaf.server.bundle.pages.withdraw;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.bundle.DeletedBundle;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.edit.EditableBundle;
import dev.sheaf.server.bundle.version.BundleDeletion;
import dev.sheaf.server.bundle.version.DeletedBundles;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.api.HubWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Deletes and restores a bundle.
public final class DeletionPages {
    private static final String RESTORE = "/{namespace}/{bundle}/restore";
    private static final int NAMED = 10; // tags

    private final BundleReader bundles;
    private final BundleDeletion deletion;
    private final DeletedBundles trash;
    private final Hub hub;

    DeletionPages(BundleReader bundles, BundleDeletion deletion, DeletedBundles trash, Hub hub) {
        this.bundles = bundles;
        this.deletion = deletion;
        this.trash = trash;
        this.hub = hub;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(EditableBundle.AT + "/delete", page -> ask(page, "", FormErrors.NONE)),
                pages.form(EditableBundle.AT + "/delete", RoutePermission.WRITE, this::delete),
                pages.own(RESTORE, page -> restore(page, FormErrors.NONE)),
                pages.form(RESTORE, RoutePermission.ADMIN, this::restored));
    }

    private Answer ask(PageCall page, String reason, FormErrors errors) {
        var edited = EditableBundle.of(page, bundles);
        return edited.view(page, "Delete", "bundle/pages/withdraw/delete")
                .with("breaks", breaks(page, edited))
                .with("reason", reason)
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        ApiEquivalent.of("DELETE " + EditableBundle.api(page, ""), "sheaf delete " + edited.name()))
                .show();
    }

    /// Returns the consequences, as far as the API knows them.
    private List<String> breaks(PageCall page, EditableBundle edited) {
        var breaks = new ArrayList<String>();
        var bundle = edited.bundle();
        Integer versions = bundle.versionCount();
        if (versions != null && versions > 0) {
            breaks.add(PageFormat.count(versions, "version is deleted", "versions are deleted") + ": nobody can pull "
                    + (versions == 1 ? "it" : "them")
                    + " any more, not even with a pinned digest, neither here nor with OCI clients or git.");
        }
        var listed = PageCall.find(() -> HubWire.detail(page.call(), hub, edited.snapshot()));
        if (listed != null) {
            breaks.add("It was pulled " + PageFormat.count(listed.downloads30d(), "time", "times")
                    + " in the last 30 days, " + PageFormat.count(listed.downloadsTotal(), "time", "times")
                    + " in total, and has " + PageFormat.count(listed.starsCount(), "star", "stars") + ".");
        }
        var tags = bundles.tags(page, edited.snapshot(), NAMED).stream()
                .map(TagStatus::name)
                .toList();
        if (!tags.isEmpty()) {
            breaks.add("These tags stop working: " + String.join(", ", tags)
                    + (tags.size() == NAMED ? ", and perhaps others." : "."));
        }
        breaks.add("Queues, lock files and other bundles that name it no longer find it. The registry does not know"
                + " all of them.");
        return breaks;
    }

    private Answer delete(PageCall page) {
        var form = page.form();
        String reason = form.first("reason").orElse("");
        var edited = EditableBundle.of(page, bundles);
        if (!form.first("confirm").orElse("").strip().equals(edited.name())) {
            return ask(page, reason, FormErrors.of("confirm", "That is not its name. Type " + edited.name() + "."));
        }
        try {
            deletion.delete(page.origin(), edited.snapshot().name(), VersionPages.reason(reason), false, any -> {});
        } catch (ProblemException e) {
            return ask(page, reason, PageCall.errors(e.problem(), "reason"));
        }
        return page.seeOther(
                EditableBundle.at(page, "/restore").toString(), PageNotice.ok(edited.name() + " is deleted."));
    }

    /// Returns the deleted bundle of a page, for those who may restore it.
    private Optional<DeletedBundle> deleted(PageCall page) {
        return page.may(RoutePermission.ADMIN)
                ? trash.find(page.caller(), page.call().repository())
                : Optional.empty();
    }

    /// Shows the form to restore a bundle. For others than its administrators, the page of a deleted bundle
    /// is the same as if the bundle never existed.
    private Answer restore(PageCall page, FormErrors errors) {
        String name = page.parameter("namespace") + "/" + page.parameter("bundle");
        var deleted = deleted(page);
        var living = PageCall.find(() -> bundles.read(page));
        return page.naming(page.names(deleted.stream().map(DeletedBundle::deletedBy)))
                .view("Restore " + PageFormat.visible(name), "bundle/pages/withdraw/restore")
                .with("name", name)
                .with("deleted", deleted.stream().toList())
                .with("home", living == null ? "" : EditableBundle.at(page, "").toString())
                .with("action", EditableBundle.at(page, "/restore").toString())
                .with("errors", errors)
                .refused(errors)
                .forMachines(ApiEquivalent.of(
                        "POST " + EditableBundle.api(page, ":restore"), "sheaf restore " + PageFormat.visible(name)))
                .show();
    }

    private Answer restored(PageCall page) {
        try {
            boolean wasDeleted = deleted(page).isPresent();
            deletion.restore(page.origin(), page.call().repository());
            if (!wasDeleted) {
                return page.seeOther(
                        home(page), PageNotice.ok("The bundle is not deleted, so there was nothing to restore."));
            }
        } catch (ProblemException e) {
            return restore(page, PageCall.errors(e.problem()));
        }
        return page.seeOther(home(page), PageNotice.ok("The bundle is restored as it was."));
    }

    private static String home(PageCall page) {
        return EditableBundle.at(page, "").toString();
    }
}
