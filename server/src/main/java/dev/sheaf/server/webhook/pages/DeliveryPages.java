package dev.sheaf.server.webhook.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.LongText;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.BreadCrumb;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.webhook.Deliveries;
import dev.sheaf.server.webhook.DeliveryState;
import dev.sheaf.server.webhook.Webhooks;
import dev.sheaf.server.webhook.api.DeliveriesApi;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The deliveries of webhooks.
public final class DeliveryPages {
    private static final String ALL = WebhookPages.ONE + "/deliveries";
    private static final String ONE = ALL + "/{delivery_id}";

    private static final int MOST_OF_BODY = 20 << 10; // bytes of the page
    private static final int MOST_OF_ANSWER = 16 << 10;
    private static final long MOST_READ = 64 << 10; // of an answer

    private static final Function<String, UUID> ID = PathId.of("delivery %s");

    private final Webhooks webhooks;
    private final Deliveries deliveries;

    public DeliveryPages(Webhooks webhooks, Deliveries deliveries) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.ADMIN, page -> list(new OrgCall(page), page)),
                pages.own(ONE, RoutePermission.ADMIN, page -> show(new OrgCall(page), page)),
                pages.own(ONE + "/body", RoutePermission.ADMIN, page -> body(new OrgCall(page))),
                pages.form(ONE + ":redeliver", RoutePermission.ADMIN, page -> redeliver(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call, PageCall page) {
        var webhook = webhook(call);
        String place = WebhookPages.place(call, webhook) + "/deliveries";
        String state = PageFormat.text(page.query("state"));
        String type = PageFormat.text(page.query("type")).strip();
        var path = call.path("/webhooks/{}/deliveries", webhook.id())
                .with("state", state)
                .with("type", type);
        String machine = "GET " + path;
        var here = ApiPath.of(place).with("state", state).with("type", type);
        var errors = FormErrors.NONE;
        List<Delivery> shown = List.of();
        String next = "";
        try {
            var wanted = state.isEmpty() ? null : RequestFields.named("state", state, DeliveryState::parse);
            var types = type.isEmpty() ? null : RequestFields.named("type", type, DeliveriesApi::type);
            var found = page.paging(OrgCall.SHOWN, "state", "type")
                    .list(
                            (after, limit) ->
                                    deliveries.list(call.caller(), WebhookPages.id(call), wanted, types, after, limit),
                            Delivery::id);
            shown = found.data();
            next = OrgCall.next(here, found.meta().nextCursor());
        } catch (ProblemException e) {
            errors = PageCall.errors(e.problem(), "state", "type");
        }
        return call.view("Deliveries of " + WebhookUrls.name(webhook), "webhook/pages/deliveries", WebhookPages.NAV)
                .with("webhook", webhook)
                .with("place", place)
                .with("state", state)
                .with("type", type)
                .with("deliveries", shown)
                .with("next", next)
                .with("errors", errors)
                .forMachines(machine, "sheaf webhooks deliveries " + webhook.id())
                .refused(errors)
                .show();
    }

    private Webhook webhook(OrgCall call) {
        return webhooks.get(call.caller(), WebhookPages.id(call));
    }

    private static UUID id(OrgCall call) {
        return call.page().parameter("delivery_id", ID);
    }

    private static ApiPath path(OrgCall call, String verb) {
        return call.path(
                "/webhooks/{}/deliveries/{}" + verb,
                call.page().parameter("webhook_id"),
                call.page().parameter("delivery_id"));
    }

    /// Shows a delivery. A delivery without an attempt is not in the list yet, because it is on its way.
    private Answer show(OrgCall call, PageCall page) {
        var webhook = webhook(call);
        String all = WebhookPages.place(call, webhook) + "/deliveries";
        var found = Optional.ofNullable(
                PageCall.find(() -> deliveries.get(call.caller(), WebhookPages.id(call), id(call))));
        if (found.isEmpty() && !call.page().parameter("delivery_id").matches("[0-9a-fA-F-]{36}")) {
            throw new Problem.NotFound("delivery").raise();
        }
        var view = call.view("Delivery of " + WebhookUrls.name(webhook), "webhook/pages/delivery", WebhookPages.NAV)
                .with(
                        "crumbs",
                        List.of(
                                new BreadCrumb("Webhooks", call.link("/webhooks")),
                                new BreadCrumb(WebhookUrls.name(webhook), WebhookPages.place(call, webhook)),
                                new BreadCrumb("Deliveries", all)))
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
        found.ifPresent(delivery -> {
            view.with("delivery", delivery).with("webhook", webhook);
            attempt(delivery, page.query("attempt")).ifPresent(shown -> view.with("exchange", shown));
            deliveries
                    .body(call.caller(), WebhookPages.id(call), delivery.id())
                    .ifPresent(body -> view.with("body", LongText.of(text(body), MOST_OF_BODY))
                            .with("size", (long) body.length));
        });
        return view.show();
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }

    /// An attempt with its number.
    ///
    /// @param number from 1
    /// @param isLast whether it is the latest
    public record Exchange(long number, boolean isLast, Delivery.Attempt attempt) {
        /// Returns the beginning of the body of the answer.
        public LongText answer() {
            return LongText.of(attempt.answer(), MOST_OF_ANSWER);
        }

        /// Returns how long the body of the answer is, and how much of it is stored.
        public String size() {
            Long bytes = attempt.answerBytes();
            if (bytes == null) {
                return "";
            }
            String all = PageFormat.size(bytes) + (bytes >= MOST_READ ? " or more" : "");
            long stored = PageFormat.text(attempt.answer()).getBytes(StandardCharsets.UTF_8).length;
            return attempt.answer() == null || stored >= bytes
                    ? all
                    : "the first " + PageFormat.size(stored) + " of " + all;
        }

        /// Returns whether there is a body that is not text.
        public boolean isBinary() {
            Long bytes = attempt.answerBytes();
            return attempt.answer() == null && bytes != null && bytes > 0;
        }
    }

    /// Returns the attempt with this number, or the latest one.
    private static Optional<Exchange> attempt(Delivery delivery, @Nullable String wanted) {
        var attempts = delivery.attempts() == null ? List.<Delivery.Attempt>of() : delivery.attempts();
        if (attempts.isEmpty()) {
            return Optional.empty();
        }
        long first = delivery.attemptCount() - attempts.size() + 1L; // older ones are deleted
        long number = wanted != null && wanted.matches("[0-9]{1,9}") ? Long.parseLong(wanted) : 0;
        long index = number >= first && number <= delivery.attemptCount() ? number - first : attempts.size() - 1L;
        return Optional.of(new Exchange(first + index, index == attempts.size() - 1L, attempts.get((int) index)));
    }

    /// Returns the body as a file, byte by byte as it is signed.
    private Answer body(OrgCall call) {
        byte[] body = deliveries
                .body(call.caller(), WebhookPages.id(call), id(call))
                .orElseThrow(() -> new Problem.NotFound("the body, because its event has expired").raise());
        return Answer.bytes(200, "application/json", body)
                .with("Content-Disposition", "attachment; filename=\"body.json\"")
                .with("Content-Security-Policy", "sandbox; default-src 'none'")
                .with("Cache-Control", "private, no-store");
    }

    private Answer redeliver(OrgCall call, PageCall page) {
        try {
            deliveries.redeliver(call.origin(), WebhookPages.id(call), id(call));
        } catch (ProblemException e) {
            var errors = PageCall.errors(e.problem());
            return page.seeOther(
                    back(call),
                    PageNotice.bad("It will not be sent.", errors.others().toArray(new String[0])));
        }
        return page.seeOther(
                back(call),
                new PageNotice(
                        "ok",
                        "It is sent again. The result appears here in a few seconds.",
                        List.of("This is an extra try: the automatic ones keep their times.")));
    }

    private static String back(OrgCall call) {
        return call.link(
                "/webhooks/{}/deliveries/{}",
                call.page().parameter("webhook_id"),
                call.page().parameter("delivery_id"));
    }
}
