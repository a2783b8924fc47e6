package dev.sheaf.server.console.webhook;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.console.Api;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.work.Filled;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.console.work.Question;
import dev.sheaf.server.console.work.Race;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Webhooks: the list, the form for a new webhook, and a webhook with its actions.
public final class WebhookPages {
    static final String NAV = "webhooks";
    static final String ALL = "/organizations/{org_id}/webhooks";
    static final String ONE = ALL + "/{webhook_id}";

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, page -> list(new OrgCall(page))),
                pages.own(ALL + ":new", page -> begin(new OrgCall(page))),
                pages.form(ALL, page -> create(new OrgCall(page), page)),
                pages.own(ONE, page -> show(new OrgCall(page))),
                pages.form(ONE, page -> change(new OrgCall(page), page)),
                pages.form(ONE + ":enable", page -> turn(new OrgCall(page), page, true)),
                pages.form(ONE + ":disable", page -> turn(new OrgCall(page), page, false)),
                pages.form(ONE + ":rotate-secret", page -> rotate(new OrgCall(page), page)),
                pages.form(ONE + ":test", page -> test(new OrgCall(page), page)),
                pages.form(ONE + ":replay", page -> replay(new OrgCall(page), page)),
                pages.own(ONE + ":delete", page -> ask(new OrgCall(page))),
                pages.form(ONE + ":delete", page -> delete(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call) {
        var path = call.path("/webhooks");
        String machine = "GET " + path;
        var found = call.api()
                .list(
                        Webhook.class,
                        path.with("limit", OrgCall.SHOWN)
                                .with("cursor", call.page().query("cursor")));
        return call.view("Webhooks", "webhook/webhooks", NAV)
                .with("webhooks", found.data())
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(call.link("/webhooks")), found.meta().nextCursor()))
                .forMachines(machine, "sheaf webhooks list")
                .show();
    }

    private Answer begin(OrgCall call) {
        call.permit(Method.POST, call.path("/webhooks"));
        return make(call, Filled.NOTHING, FormErrors.NONE);
    }

    private Answer make(OrgCall call, Filled form, FormErrors errors) {
        return call.view("New webhook", "webhook/new", NAV)
                .with("form", form)
                .with("errors", errors)
                .forMachines("POST " + call.path("/webhooks"), "sheaf webhooks create https://hooks.example.org/sheaf")
                .refused(errors)
                .show();
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        try {
            var made = call.api().post(Webhook.class, call.path("/webhooks"), WebhookForm.members(form));
            return once(call, made, "The webhook is created. It gets all events from now on.");
        } catch (ProblemException e) {
            return make(call, form, PageCall.errors(e.problem(), WebhookForm.FIELDS));
        }
    }

    /// Redirects to the webhook, where its secret is shown once.
    private static Answer once(OrgCall call, Webhook webhook, String said) {
        String place = place(call, webhook);
        call.page().leaveSecret(Show.text(webhook.secret()), place);
        return call.page().seeOther(place, Notice.ok(said));
    }

    static ApiPath path(OrgCall call) {
        return call.path("/webhooks/{}", call.page().parameter("webhook_id"));
    }

    static ApiPath path(OrgCall call, String verb) {
        return call.path("/webhooks/{}:" + verb, call.page().parameter("webhook_id"));
    }

    static Webhook webhook(OrgCall call) {
        return call.api().get(Webhook.class, path(call));
    }

    static String place(OrgCall call, Webhook webhook) {
        return call.link("/webhooks/{}", webhook.id());
    }

    private static Api.Tagged<Webhook> tagged(OrgCall call) {
        return call.api().tagged(Webhook.class, path(call));
    }

    private static Filled form(Api.Tagged<Webhook> webhook) {
        return Race.begin(WebhookForm.of(webhook.value()), webhook.etag());
    }

    private Answer show(OrgCall call) {
        var webhook = tagged(call);
        return show(call, webhook.value(), form(webhook), FormErrors.NONE);
    }

    private Answer show(OrgCall call, Webhook webhook, Filled form, FormErrors errors) {
        String place = place(call, webhook);
        call.naming(Stream.of(webhook.createdBy()));
        return call.view("Webhook to " + Urls.host(webhook), "webhook/webhook", NAV)
                .with("webhook", webhook)
                .with("place", place)
                .with("secret", call.page().secret(place, "whsec_"))
                .with("form", form)
                .with("errors", errors)
                .forMachines("GET " + path(call), "sheaf webhooks show " + webhook.id())
                .refused(errors)
                .show();
    }

    private Answer change(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        try {
            var changed = call.api().patch(Webhook.class, path(call), form.of(Race.ETAG), WebhookForm.members(form));
            return page.seeOther(place(call, changed), Notice.ok("The webhook is changed."));
        } catch (ProblemException e) {
            var now = tagged(call);
            return e.problem() instanceof Problem.PreconditionFailed
                    ? show(call, now.value(), Race.again(form, form(now)), Race.lost(form, form(now), e.problem()))
                    : show(call, now.value(), form, PageCall.errors(e.problem(), WebhookForm.FIELDS));
        }
    }

    private Answer turn(OrgCall call, PageCall page, boolean enabled) {
        page.form();
        var turned = call.api().patch(Webhook.class, path(call), Map.of("enabled", enabled));
        return page.seeOther(
                place(call, turned),
                Notice.ok(
                        turned.enabled()
                                ? "The webhook gets all events from now on. A replay sends the earlier ones."
                                : "The webhook is disabled; it gets no events."));
    }

    /// Shows a refused form of the page about one webhook again.
    private Answer refused(OrgCall call, Filled typed, ProblemException e) {
        var webhook = tagged(call);
        var form = form(webhook)
                .with("overlap", typed.of("overlap"))
                .with("after", typed.of("after"))
                .with("before", typed.of("before"));
        return show(call, webhook.value(), form, PageCall.errors(e.problem(), WebhookForm.FIELDS));
    }

    private Answer rotate(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        var members = new HashMap<String, @Nullable Object>();
        members.put("overlap", form.text("overlap"));
        try {
            var rotated = call.api().post(Webhook.class, path(call, "rotate-secret"), members);
            return once(call, rotated, "The webhook has a new secret.");
        } catch (ProblemException e) {
            return refused(call, form, e);
        }
    }

    private Answer test(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        try {
            var sent = call.api().post(Delivery.class, path(call, "test"), Map.of());
            return page.seeOther(
                    call.link("/webhooks/{}/deliveries/{}", sent.webhookId(), sent.id()),
                    Notice.ok("A test is on its way. Reload the page to see the result."));
        } catch (ProblemException e) {
            return refused(call, form, e);
        }
    }

    private Answer replay(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        var members = new HashMap<String, @Nullable Object>();
        members.put("after", form.time("after"));
        members.put("before", form.time("before"));
        try {
            var replayed = call.api().post(Webhook.class, path(call, "replay"), members);
            return page.seeOther(place(call, replayed), Notice.ok("The events are sent again."));
        } catch (ProblemException e) {
            return refused(call, form, e);
        }
    }

    private Answer ask(OrgCall call) {
        var webhook = webhook(call);
        String host = Urls.host(webhook);
        var question = new Question(
                "Delete the webhook to " + host + "?",
                "Nothing is sent to " + Show.visible(webhook.url()) + " any more, and its deliveries are deleted.",
                List.of("Waiting deliveries are not sent.", "Its secret is deleted: a new webhook gets another one."),
                place(call, webhook) + ":delete",
                "Delete the webhook to " + host,
                place(call, webhook));
        return question.ask(call, NAV, "", FormErrors.NONE);
    }

    private Answer delete(OrgCall call, PageCall page) {
        page.form();
        call.api().delete(path(call));
        return page.seeOther(call.link("/webhooks"), Notice.ok("The webhook is deleted."));
    }
}
