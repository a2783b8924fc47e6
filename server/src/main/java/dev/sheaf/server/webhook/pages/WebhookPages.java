package dev.sheaf.server.webhook.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.SecretOverlap;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.ConfirmPage;
import dev.sheaf.server.console.work.EditRace;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.webhook.Deliveries;
import dev.sheaf.server.webhook.ReplayRequest;
import dev.sheaf.server.webhook.Webhooks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Webhooks: the list, the form for a new webhook, and a webhook with its actions.
public final class WebhookPages {
    static final String NAV = "webhooks";
    static final String ALL = "/organizations/{org_id}/webhooks";
    static final String ONE = ALL + "/{webhook_id}";

    static final Function<String, UUID> ID = PathId.of("webhook %s");

    private final Webhooks webhooks;
    private final Deliveries deliveries;

    public WebhookPages(Webhooks webhooks, Deliveries deliveries) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.ADMIN, page -> list(new OrgCall(page))),
                pages.asking(
                        ALL + ":new",
                        RoutePermission.ADMIN,
                        page -> make(new OrgCall(page), FilledForm.NOTHING, FormErrors.NONE)),
                pages.form(ALL, RoutePermission.ADMIN, page -> create(new OrgCall(page), page)),
                pages.own(ONE, RoutePermission.ADMIN, page -> show(new OrgCall(page))),
                pages.form(ONE, RoutePermission.ADMIN, page -> change(new OrgCall(page), page)),
                pages.form(ONE + ":enable", RoutePermission.ADMIN, page -> turn(new OrgCall(page), page, true)),
                pages.form(ONE + ":disable", RoutePermission.ADMIN, page -> turn(new OrgCall(page), page, false)),
                pages.form(ONE + ":rotate-secret", RoutePermission.ADMIN, page -> rotate(new OrgCall(page), page)),
                pages.form(ONE + ":test", RoutePermission.ADMIN, page -> test(new OrgCall(page), page)),
                pages.form(ONE + ":replay", RoutePermission.ADMIN, page -> replay(new OrgCall(page), page)),
                pages.own(ONE + ":delete", RoutePermission.ADMIN, page -> ask(new OrgCall(page))),
                pages.form(ONE + ":delete", RoutePermission.ADMIN, page -> delete(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call) {
        var path = call.path("/webhooks");
        String machine = "GET " + path;
        var found = call.page()
                .paging(OrgCall.SHOWN)
                .list((after, limit) -> webhooks.list(call.caller(), after, limit), Webhook::id);
        return call.view("Webhooks", "webhook/pages/webhooks", NAV)
                .with("webhooks", found.data())
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(call.link("/webhooks")), found.meta().nextCursor()))
                .forMachines(machine, "sheaf webhooks list")
                .show();
    }

    private Answer make(OrgCall call, FilledForm form, FormErrors errors) {
        return call.view("New webhook", "webhook/pages/new", NAV)
                .with("form", form)
                .with("errors", errors)
                .forMachines("POST " + call.path("/webhooks"), "sheaf webhooks create https://hooks.example.org/sheaf")
                .refused(errors)
                .show();
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        try {
            var made = webhooks.create(call.origin(), RequestFields.form(WebhookForm.members(form)));
            return once(call, made, "The webhook is created. It gets all events from now on.");
        } catch (ProblemException e) {
            return make(call, form, PageCall.errors(e.problem(), WebhookForm.FIELDS));
        }
    }

    /// Redirects to the webhook, where its secret is shown once.
    private static Answer once(OrgCall call, Webhook webhook, String said) {
        String place = place(call, webhook);
        call.page().leaveSecret(PageFormat.text(webhook.secret()), place);
        return call.page().seeOther(place, PageNotice.ok(said));
    }

    static ApiPath path(OrgCall call) {
        return call.path("/webhooks/{}", call.page().parameter("webhook_id"));
    }

    static UUID id(OrgCall call) {
        return call.page().parameter("webhook_id", ID);
    }

    private Webhook webhook(OrgCall call) {
        return webhooks.get(call.caller(), id(call));
    }

    static String place(OrgCall call, Webhook webhook) {
        return call.link("/webhooks/{}", webhook.id());
    }

    private EditRace.Current<Webhook> current(OrgCall call) {
        var webhook = webhook(call);
        return EditRace.Current.of(webhook, webhook.withoutProgress());
    }

    private static FilledForm form(EditRace.Current<Webhook> webhook) {
        return EditRace.begin(WebhookForm.of(webhook.value()), webhook.etag());
    }

    private Answer show(OrgCall call) {
        var webhook = current(call);
        return show(call, webhook.value(), form(webhook), FormErrors.NONE);
    }

    private Answer show(OrgCall call, Webhook webhook, FilledForm form, FormErrors errors) {
        String place = place(call, webhook);
        call.naming(Stream.of(webhook.createdBy()));
        return call.view("Webhook " + WebhookUrls.name(webhook), "webhook/pages/webhook", NAV)
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
        var form = FilledForm.of(page.form());
        try {
            var patch = RequestFields.patch(WebhookForm.members(form));
            var changed =
                    webhooks.edit(call.origin(), id(call), patch, EditRace.unchanged(form, Webhook::withoutProgress));
            return page.seeOther(place(call, changed), PageNotice.ok("The webhook is changed."));
        } catch (ProblemException e) {
            var now = current(call);
            return e.problem() instanceof Problem.PreconditionFailed
                    ? show(
                            call,
                            now.value(),
                            EditRace.again(form, form(now)),
                            EditRace.lost(form, form(now), e.problem()))
                    : show(call, now.value(), form, PageCall.errors(e.problem(), WebhookForm.FIELDS));
        }
    }

    private Answer turn(OrgCall call, PageCall page, boolean enabled) {
        var turned = webhooks.edit(call.origin(), id(call), RequestFields.patch(Map.of("enabled", enabled)), any -> {});
        return page.seeOther(
                place(call, turned),
                PageNotice.ok(
                        turned.enabled()
                                ? "The webhook gets all events from now on. A replay sends the earlier ones."
                                : "The webhook is disabled; it gets no events."));
    }

    /// Shows a refused form of the page about one webhook again.
    private Answer refused(OrgCall call, FilledForm typed, ProblemException e) {
        var webhook = current(call);
        var form = form(webhook)
                .with("overlap", typed.of("overlap"))
                .with("after", typed.of("after"))
                .with("before", typed.of("before"));
        return show(call, webhook.value(), form, PageCall.errors(e.problem(), WebhookForm.FIELDS));
    }

    private Answer rotate(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        var members = new HashMap<String, @Nullable Object>();
        members.put("overlap", form.text("overlap"));
        try {
            var overlap = RequestFields.form(members).to(SecretOverlap::parse);
            var rotated = webhooks.rotateSecret(call.origin(), id(call), overlap);
            return once(call, rotated, "The webhook has a new secret.");
        } catch (ProblemException e) {
            return refused(call, form, e);
        }
    }

    private Answer test(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        try {
            var sent = deliveries.test(call.origin(), id(call));
            return page.seeOther(
                    call.link("/webhooks/{}/deliveries/{}", sent.webhookId(), sent.id()),
                    PageNotice.ok("A test is on its way. Reload the page to see the result."));
        } catch (ProblemException e) {
            return refused(call, form, e);
        }
    }

    private Answer replay(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        var members = new HashMap<String, @Nullable Object>();
        members.put("after", form.time("after"));
        members.put("before", form.time("before"));
        try {
            var wanted = RequestFields.form(members).to(ReplayRequest::parse);
            var replayed = deliveries.replay(call.origin(), id(call), wanted);
            return page.seeOther(place(call, replayed), PageNotice.ok("The events are sent again."));
        } catch (ProblemException e) {
            return refused(call, form, e);
        }
    }

    private Answer ask(OrgCall call) {
        var webhook = webhook(call);
        String name = WebhookUrls.name(webhook);
        var question = new ConfirmPage(
                "Delete the webhook " + name + "?",
                "Nothing is sent to " + PageFormat.visible(webhook.url())
                        + " any more, and its deliveries are deleted.",
                List.of("Waiting deliveries are not sent.", "Its secret is deleted: a new webhook gets another one."),
                place(call, webhook) + ":delete",
                "Delete " + name,
                place(call, webhook));
        return question.ask(call, NAV, "", FormErrors.NONE);
    }

    private Answer delete(OrgCall call, PageCall page) {
        webhooks.delete(call.origin(), id(call), any -> {});
        return page.seeOther(call.link("/webhooks"), PageNotice.ok("The webhook is deleted."));
    }
}
