package dev.sheaf.server.org.pages;

import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.OwnBundles;
import dev.sheaf.server.bundle.decision.ReviewInbox;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.directory.NamespaceTransfers;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.member.Invitations;
import dev.sheaf.server.queue.DeadJobs;
import dev.sheaf.server.webhook.WebhookFailures;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Finds what in an organization needs a person: each kind in one bounded query.
public final class OrgNeeds {
    private static final Duration SOON = Duration.ofDays(14);
    private static final int SHOWN = 5; // of each kind
    private static final int MOST_KEYS = 50;

    private final ApiKeys keys;
    private final WebhookFailures webhooks;
    private final DeadJobs dead;
    private final NamespaceTransfers transfers;
    private final Invitations invitations;
    private final OwnBundles bundles;
    private final ReviewInbox reviews;
    private final InstantSource clock;

    public OrgNeeds(
            ApiKeys keys,
            WebhookFailures webhooks,
            DeadJobs dead,
            NamespaceTransfers transfers,
            Invitations invitations,
            OwnBundles bundles,
            ReviewInbox reviews,
            InstantSource clock) {
        this.keys = keys;
        this.webhooks = webhooks;
        this.dead = dead;
        this.transfers = transfers;
        this.invitations = invitations;
        this.bundles = bundles;
        this.reviews = reviews;
        this.clock = clock;
    }

    /// Something that needs a person.
    ///
    /// @param icon its symbol
    /// @param tone `bad`, `warn` or `info`
    /// @param what the thing, with its name
    /// @param happens what happens with it, before the time
    /// @param at the time of it; null if there is none
    /// @param more another line; empty if there is none
    /// @param link the page where to act
    /// @param button what the link does
    public record Need(
            String icon,
            String tone,
            String what,
            String happens,
            @Nullable Instant at,
            String more,
            String link,
            String button) {}

    /// Returns what the viewer can do something about: admins see all, publishers dead jobs, reviews and findings,
    /// readers dead jobs and what they may approve.
    ///
    /// @param gauges the usage of the organization's quotas
    List<Need> of(OrgPage org, List<OverviewPages.Gauge> gauges) {
        var needs = new ArrayList<Need>();
        var caller = org.page().caller();
        if (org.isAdmin()) {
            webhooks(org, caller, needs);
            keys(org, caller, needs);
        }
        dead(org, caller, needs);
        reviews(org, caller, needs);
        if (org.page().may(RoutePermission.WRITE)) {
            findings(caller, needs);
        }
        if (org.isAdmin()) {
            gauges.stream()
                    .filter(OverviewPages.Gauge::isNear)
                    .map(gauge -> new Need(
                            "disk",
                            "warn",
                            gauge.label() + " is nearly full",
                            "",
                            null,
                            gauge.words() + "; the operator of this registry sets the limit",
                            "#use",
                            "Look"))
                    .forEach(needs::add);
            transfers(org, caller, needs);
            invitations(org, caller, needs);
        }
        return needs;
    }

    private void webhooks(OrgPage org, Caller.Known caller, List<Need> needs) {
        for (var webhook : webhooks.of(caller, SHOWN)) {
            String name = Objects.requireNonNullElse(webhook.description(), "");
            needs.add(new Need(
                    "link",
                    "bad",
                    "Webhook " + (name.isBlank() ? "to " + webhook.host() : "“" + name + "”"),
                    "fails since",
                    webhook.since(),
                    PageFormat.count(webhook.failures(), "failed attempt", "failed attempts") + " at " + webhook.host(),
                    org.path("/webhooks/{}/deliveries", webhook.id()).toString(),
                    "Look"));
        }
    }

    private void keys(OrgPage org, Caller.Known caller, List<Need> needs) {
        var now = clock.instant();
        var ending = keys.ending(caller, SOON, MOST_KEYS).stream()
                .filter(key -> isNearItsEnd(key, now))
                .limit(SHOWN)
                .toList();
        for (var key : ending) {
            var end = end(key);
            boolean isOver = !end.isAfter(now);
            needs.add(new Need(
                    "key",
                    isOver ? "bad" : "warn",
                    "Key “" + key.name() + "”",
                    isOver ? "ended" : "ends",
                    end,
                    key.lastUsedAt() == null
                            ? "It was never used."
                            : "Programs that use it " + (isOver ? "get 401." : "get 401 from then on."),
                    org.path("/keys/{}", key.id()).toString(),
                    isOver ? "Look" : "Rotate"));
        }
    }

    /// Returns whether less than a third of a key's time is left, so that a key of a week is not named on its
    /// first day.
    private static boolean isNearItsEnd(ApiKey key, Instant now) {
        var end = end(key);
        var third = Duration.between(key.createdAt(), end).dividedBy(3);
        return Duration.between(now, end).compareTo(third) <= 0 || key.retiresAt() != null;
    }

    /// A key that another one replaces ends when its overlap ends.
    private static Instant end(ApiKey key) {
        var retires = key.retiresAt();
        return Objects.requireNonNull(retires == null ? key.expiresAt() : retires);
    }

    private void dead(OrgPage org, Caller.Known caller, List<Need> needs) {
        for (var queue : dead.of(caller, SHOWN)) {
            needs.add(new Need(
                    "queue",
                    "warn",
                    PageFormat.count(queue.waiting(), "dead job", "dead jobs"),
                    "in the queue " + queue.slug(),
                    null,
                    "All attempts are used up.",
                    org.path("/queues/{}/dead", queue.slug()).toString(),
                    "Open"));
        }
    }

    private void reviews(OrgPage org, Caller.Known caller, List<Need> needs) {
        int waiting = reviews.waiting(caller);
        if (waiting > 0) {
            needs.add(new Need(
                    "check",
                    "warn",
                    PageFormat.count(waiting, "version waits", "versions wait") + " for review",
                    "",
                    null,
                    "Nobody gets a version that waits.",
                    org.path("/reviews").toString(),
                    "Open"));
        }
    }

    /// Names the bundles that an installation asks about first.
    private void findings(Caller.Known caller, List<Need> needs) {
        for (var risky : bundles.risky(caller, SHOWN)) {
            var name = risky.ref();
            needs.add(new Need(
                    "warn",
                    "bad",
                    name + " " + risky.version(),
                    "has " + PageFormat.count(risky.findings(), "finding", "findings")
                            + ", one or more of high severity",
                    null,
                    "sheaf add asks before it installs such a version. Publish one without, or yank it.",
                    ApiPath.of("/{}/{}/versions/{}", name.namespace(), name.bundle(), risky.version()) + "#findings",
                    "Look"));
        }
    }

    private void transfers(OrgPage org, Caller.Known caller, List<Need> needs) {
        transfers.list(caller, null, SHOWN).stream()
                .filter(transfer -> transfer.state().equals("pending"))
                .map(transfer -> transfer(org, transfer))
                .forEach(needs::add);
    }

    private static Need transfer(OrgPage org, Transfer transfer) {
        boolean isGiven = transfer.from().equals(org.organization().handle());
        return new Need(
                "org",
                "info",
                "Transfer of the namespace " + transfer.namespace(),
                isGiven
                        ? "to " + transfer.to() + " waits for them; it ends"
                        : "from " + transfer.from() + " waits for you; it ends",
                transfer.expiresAt(),
                "",
                org.path("/transfers/{}", transfer.id()).toString(),
                "Open");
    }

    private void invitations(OrgPage org, Caller.Known caller, List<Need> needs) {
        for (var invitation : invitations.listOpen(caller, null, SHOWN)) {
            boolean isOver = invitation.state().equals("expired");
            needs.add(new Need(
                    "mail",
                    isOver ? "warn" : "info",
                    "Invitation of " + invitation.email(),
                    isOver ? "was not accepted; it ended" : "is not accepted yet; it ends",
                    invitation.expiresAt(),
                    "",
                    org.path("/members").toString(),
                    "Open"));
        }
    }
}
