package dev.sheaf.server.console.webhook;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.work.Crumb;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Map;

/// The deliveries of webhooks.
public final class DeliveryPages {
    private static final String ALL = WebhookPages.ONE + "/deliveries";
    private static final String ONE = ALL + "/{delivery_id}";

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, page -> list(new OrgCall(page), page)),
                pages.own(ONE, page -> show(new OrgCall(page))),
                pages.form(ONE + ":redeliver", page -> redeliver(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call, PageCall page) {
        var webhook = WebhookPages.webhook(call);
        String place = WebhookPages.place(call, webhook) + "/deliveries";
        String state = Show.text(page.query("state"));
        String type = Show.text(page.query("type")).strip();
        var path = call.path("/webhooks/{}/deliveries", webhook.id())
                .with("state", state)
                .with("type", type);
        String machine = "GET " + path;
        var here = ApiPath.of(place).with("state", state).with("type", type);
        var errors = FormErrors.NONE;
        List<Delivery> deliveries = List.of();
        String next = "";
        try {
            var found = call.api()
                    .list(Delivery.class, path.with("limit", OrgCall.SHOWN).with("cursor", page.query("cursor")));
            deliveries = found.data();
            next = OrgCall.next(here, found.meta().nextCursor());
        } catch (ProblemException e) {
            errors = PageCall.errors(e.problem(), "state", "type");
        }
        return call.view("Deliveries to " + Urls.host(webhook), "webhook/deliveries", WebhookPages.NAV)
                .with("webhook", webhook)
                .with("place", place)
                .with("state", state)
                .with("type", type)
                .with("deliveries", deliveries)
                .with("next", next)
                .with("errors", errors)
                .forMachines(machine, "sheaf webhooks deliveries " + webhook.id())
                .refused(errors)
                .show();
    }

    private static ApiPath path(OrgCall call, String verb) {
        return call.path(
                "/webhooks/{}/deliveries/{}" + verb,
                call.page().parameter("webhook_id"),
                call.page().parameter("delivery_id"));
    }

    /// Shows a delivery. A delivery without an attempt is not in the list yet, because it is on its way.
    private Answer show(OrgCall call) {
        var webhook = WebhookPages.webhook(call);
        String all = WebhookPages.place(call, webhook) + "/deliveries";
        var found = call.api().find(Delivery.class, path(call, ""));
        if (found.isEmpty() && !call.page().parameter("delivery_id").matches("[0-9a-fA-F-]{36}")) {
            throw new Problem.NotFound("delivery").raise();
        }
        var view = call.view("Delivery to " + Urls.host(webhook), "webhook/delivery", WebhookPages.NAV)
                .with(
                        "crumbs",
                        List.of(
                                new Crumb("Webhooks", call.link("/webhooks")),
                                new Crumb(Urls.host(webhook), WebhookPages.place(call, webhook)),
                                new Crumb("Deliveries", all)))
                .with(
                        "place",
                        call.link(
                                "/webhooks/{}/deliveries/{}",
                                webhook.id(),
                                call.page().parameter("delivery_id")))
                .forMachines(
                        "GET " + path(call, ""),
                        "sheaf webhooks delivery " + webhook.id() + " "
                                + found.map(Delivery::id).map(Object::toString).orElse("ID"));
        found.ifPresent(delivery -> view.with("delivery", delivery));
        return view.show();
    }

    private Answer redeliver(OrgCall call, PageCall page) {
        page.form();
        try {
            call.api().post(path(call, ":redeliver"), Map.of());
        } catch (ProblemException e) {
            var errors = PageCall.errors(e.problem());
            return page.seeOther(
                    back(call),
                    Notice.bad("It will not be sent.", errors.others().toArray(new String[0])));
        }
        return page.seeOther(back(call), Notice.ok("It is sent again. Reload the page to see the result."));
    }

    private static String back(OrgCall call) {
        return call.link(
                "/webhooks/{}/deliveries/{}",
                call.page().parameter("webhook_id"),
                call.page().parameter("delivery_id"));
    }
}
