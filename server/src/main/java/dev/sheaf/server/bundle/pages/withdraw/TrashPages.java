package dev.sheaf.server.bundle.pages.withdraw;

import dev.sheaf.model.wire.bundle.DeletedBundle;
import dev.sheaf.server.bundle.version.DeletedBundles;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// The deleted bundles of an organization.
public final class TrashPages {
    private final DeletedBundles trash;

    TrashPages(DeletedBundles trash) {
        this.trash = trash;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.own(
                "/organizations/{org_id}/trash", RoutePermission.ADMIN, page -> list(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call, PageCall page) {
        var found = page.paging(OrgCall.SHOWN)
                .list((after, limit) -> trash.list(call.caller(), after, limit), DeletedBundles::key);
        call.naming(found.data().stream().map(DeletedBundle::deletedBy));
        return call.view("Trash", "bundle/pages/withdraw/trash", "trash")
                .with("bundles", found.data())
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(call.link("/trash")), found.meta().nextCursor()))
                .forMachines(
                        "GET " + call.path("/trash"),
                        found.data().isEmpty()
                                ? ""
                                : "sheaf restore " + found.data().getFirst().ref())
                .show();
    }
}
