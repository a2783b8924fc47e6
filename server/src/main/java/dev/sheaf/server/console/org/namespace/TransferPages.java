package dev.sheaf.server.console.org.namespace;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.View;
import dev.sheaf.server.console.org.OrgPage;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Transfers a namespace to another organization, which must accept it.
public final class TransferPages {
    private static final String ONE = "/organizations/{org_id}/transfers/{transfer_id}";
    private static final String API = "/transfers/{}";

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.form("/organizations/{org_id}/namespaces/{namespace}/transfer", TransferPages::offer),
                pages.own(ONE, page -> question(OrgPage.of(page), FormErrors.NONE)),
                pages.form(ONE + "/accept", page -> end(page, "accept", "The namespace is yours.")),
                pages.form(ONE + "/decline", page -> end(page, "decline", "The offer is declined.")),
                pages.form(ONE + "/cancel", page -> end(page, "cancel", "The offer is cancelled.")));
    }

    private static Answer offer(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String receiver = form.first("organization").orElse("");
        try {
            page.api()
                    .post(
                            Transfer.class,
                            org.api("/namespaces/{}:transfer", page.parameter("namespace")),
                            Map.of("organization", receiver));
        } catch (ProblemException e) {
            return NamespacePages.one(org, receiver, PageCall.errors(e.problem(), "organization"));
        }
        return org.seeOther(
                org.path("/namespaces"),
                Notice.ok("The namespace is offered. It moves when the other organization accepts."));
    }

    /// Returns the question: the giver can cancel the offer, the receiver can accept it.
    private static Answer question(OrgPage org, FormErrors errors) {
        var transfer =
                org.page().api().get(Transfer.class, org.api(API, org.page().parameter("transfer_id")));
        boolean isGiver = transfer.from().equals(org.organization().handle())
                || transfer.from().equals(org.organization().id().toString());
        org.page().naming(org.page().names(Stream.of(transfer.createdBy(), Show.text(transfer.endedBy()))));
        View view = org.view("Transfer of " + transfer.namespace(), "org/namespace/transfer", "namespaces")
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

    private static Answer end(PageCall page, String word, String said) {
        page.form();
        var org = OrgPage.of(page);
        try {
            page.api().post(org.api(API + ":" + word, page.parameter("transfer_id")), Map.of());
        } catch (ProblemException e) {
            return question(org, PageCall.errors(e.problem()));
        }
        return org.seeOther(org.path("/namespaces"), Notice.ok(said));
    }
}
