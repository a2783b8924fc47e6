package dev.sheaf.server.org.pages.namespace;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.directory.NamespaceTransfers;
import dev.sheaf.server.org.pages.OrgPage;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/// Transfers a namespace to another organization, which must accept it.
public final class TransferPages {
    private static final String ONE = "/organizations/{org_id}/transfers/{transfer_id}";
    private static final String API = "/transfers/{}";
    private static final Function<String, UUID> ID = PathId.of("transfer %s of this organization");

    private final NamespaceTransfers transfers;
    private final NamespacePages namespaces;

    /// @param namespaces shows the namespace again after a refusal
    public TransferPages(NamespaceTransfers transfers, NamespacePages namespaces) {
        this.transfers = transfers;
        this.namespaces = namespaces;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.form(
                        "/organizations/{org_id}/namespaces/{namespace}/transfer", RoutePermission.ADMIN, this::offer),
                pages.own(ONE, RoutePermission.ADMIN, page -> question(OrgPage.of(page), FormErrors.NONE)),
                pages.form(
                        ONE + "/accept",
                        RoutePermission.ADMIN,
                        page -> end(page, transfers::accept, "The namespace is yours.")),
                pages.form(
                        ONE + "/decline",
                        RoutePermission.ADMIN,
                        page -> end(page, transfers::decline, "The offer is declined.")),
                pages.form(
                        ONE + "/cancel",
                        RoutePermission.ADMIN,
                        page -> end(page, transfers::cancel, "The offer is cancelled.")));
    }

    private Answer offer(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String receiver = form.first("organization").orElse("");
        try {
            var to = RequestFields.form(Map.of("organization", receiver)).to(NamespaceTransfers::receiver);
            transfers.offer(page.origin(), page.parameter("namespace", Namespace::parse), to);
        } catch (ProblemException e) {
            return namespaces.one(org, receiver, PageCall.errors(e.problem(), "organization"));
        }
        return org.seeOther(
                org.path("/namespaces"),
                PageNotice.ok("The namespace is offered. It moves when the other organization accepts."));
    }

    /// Returns the question: the giver can cancel the offer, the receiver can accept it.
    private Answer question(OrgPage org, FormErrors errors) {
        var transfer = transfers.get(org.page().caller(), org.page().parameter("transfer_id", ID));
        boolean isGiver = transfer.from().equals(org.organization().handle())
                || transfer.from().equals(org.organization().id().toString());
        org.page().naming(org.page().names(Stream.of(transfer.createdBy(), PageFormat.text(transfer.endedBy()))));
        PageView view = org.view("Transfer of " + transfer.namespace(), "org/pages/namespace/transfer", "namespaces")
                .with("transfer", transfer)
                .with("isGiver", isGiver)
                .with("errors", errors)
                .refused(errors);
        String word = isGiver ? "cancel" : "accept";
        return view.forMachines(
                        "POST " + org.api(API + ":" + word, transfer.id()),
                        "sheaf org " + word + " " + transfer.id() + " --org "
                                + org.organization().handle())
                .show();
    }

    private Answer end(PageCall page, BiConsumer<ChangeOrigin, UUID> how, String said) {
        var org = OrgPage.of(page);
        try {
            how.accept(page.origin(), page.parameter("transfer_id", ID));
        } catch (ProblemException e) {
            return question(org, PageCall.errors(e.problem()));
        }
        return org.seeOther(org.path("/namespaces"), PageNotice.ok(said));
    }
}
