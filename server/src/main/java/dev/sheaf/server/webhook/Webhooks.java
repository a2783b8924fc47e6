package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.net.AllowedTargets;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.OfWebhook;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.OrganizationRows;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The webhooks of organizations. A webhook receives everything that happens in its organization, so managing
/// one requires the right to see all of it. Thread-safe.
public final class Webhooks {
    /// Webhooks of an organization.
    private static final int MOST = 50;
    private static final int AT_ONCE = 500;

    private final Database database;
    private final WebhookSecrets secrets;
    private final AllowedTargets reach;

    /// @param reach where webhooks may send requests
    public Webhooks(Database database, WebhookSecrets secrets, AllowedTargets reach) {
        this.database = database;
        this.secrets = secrets;
        this.reach = reach;
    }

    /// Creates a webhook. It receives events from now on.
    ///
    /// @return the webhook with its secret, which is shown only once
    /// @throws ProblemException validation-failed; conflict if the organization has too many
    public Webhook create(ChangeOrigin origin, RequestFields fields) {
        Access.inPerson(origin.caller());
        Access.whole(origin.caller());
        var webhook = fields.to(given -> NewWebhook.parse(given, reach));
        var secret = webhook.secret() == null ? secrets.generate() : webhook.secret();
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            if (WebhookRows.count(tx, origin.organizationId()) >= MOST) {
                throw new Problem.Conflict("the organization has " + MOST + " webhooks, the limit; delete one first")
                        .raise();
            }
            var id = TimeOrderedIds.next(tx.now());
            var blank = new WebhookRow(
                    id,
                    origin.organizationId(),
                    webhook.settings().url(),
                    null,
                    null,
                    null,
                    EventTypes.ALL,
                    null,
                    null,
                    null,
                    secrets.seal(id, secret),
                    null,
                    null,
                    tx.now(),
                    origin.actor(),
                    tx.now(),
                    WebhookProgress.from(EventFeeds.last(tx, new EventFeed(origin.organizationId()))));
            WebhookRows.insert(tx, with(tx, blank, webhook.settings()));
            note(tx, origin, "create", new OfWebhook.WebhookCreated(id, host(webhook.settings())), id);
            return shown(tx, origin, id).withSecret(secret.expose());
        });
    }

    private static String host(WebhookSettings settings) {
        return WebhookSettings.host(settings.url());
    }

    /// Returns the row with new settings.
    private WebhookRow with(Tx tx, WebhookRow row, WebhookSettings settings) {
        var disabled = settings.enabled() ? null : Objects.requireNonNullElse(row.disabled(), DisabledReason.MANUALLY);
        return new WebhookRow(
                row.id(),
                row.organizationId(),
                settings.url(),
                settings.description(),
                secrets.seal(row.id(), settings.headers()).orElse(null),
                settings.rate(),
                settings.types(),
                settings.restrictions().encode(),
                disabled,
                disabled == null ? null : row.disabled() == null ? tx.now() : row.disabledAt(),
                row.secret(),
                row.oldSecret(),
                row.oldUntil(),
                row.createdAt(),
                row.createdBy(),
                tx.now(),
                row.progress());
    }

    private static void note(Tx tx, ChangeOrigin origin, String word, @Nullable Event event, UUID id) {
        if (event != null) {
            OutboxRows.emit(tx, origin, event);
        }
        AuditRows.record(tx, origin, "webhook." + word, id.toString());
        tx.changed(
                new DataChange(DataChange.Kind.WEBHOOK, origin.organizationId().toString()));
    }

    /// @throws ProblemException not-found
    public Webhook get(Caller.Known caller, UUID id) {
        Access.whole(caller);
        return database.read(tx -> WebhookWire.show(find(tx, caller.organizationId(), id), secrets, tx.now()));
    }

    /// Lists webhooks, newest first.
    ///
    /// @param before the id before the page, or null
    public List<Webhook> list(Caller.Known caller, @Nullable String before, int limit) {
        Access.whole(caller);
        return database.read(tx -> WebhookRows.list(tx, caller.organizationId(), end(before), limit).stream()
                .map(row -> WebhookWire.show(row, secrets, tx.now()))
                .toList());
    }

    static String end(@Nullable String before) {
        return before == null ? TimeOrderedIds.END : before;
    }

    static WebhookRow find(Tx tx, UUID organization, UUID id) {
        return WebhookRows.find(tx, organization, id).orElseThrow(() -> missing(id));
    }

    static WebhookRow lock(Tx tx, ChangeOrigin origin, UUID id) {
        return WebhookRows.lock(tx, origin.organizationId(), id).orElseThrow(() -> missing(id));
    }

    private static ProblemException missing(UUID id) {
        return new Problem.NotFound("webhook " + id).raise();
    }

    private Webhook shown(Tx tx, ChangeOrigin origin, UUID id) {
        return WebhookWire.show(find(tx, origin.organizationId(), id), secrets, tx.now());
    }

    /// Changes a webhook. Disabling it cancels all retries. After it is enabled again, it receives events from
    /// then on.
    ///
    /// @param patch a merge patch (RFC 7396)
    /// @param check examines the current webhook and may refuse
    /// @throws ProblemException validation-failed, not-found
    public Webhook edit(ChangeOrigin origin, UUID id, RequestFields patch, Consumer<Webhook> check) {
        Access.inPerson(origin.caller());
        Access.whole(origin.caller());
        return database.write(tx -> {
            var row = lock(tx, origin, id);
            check.accept(WebhookWire.show(row, secrets, tx.now()));
            var settings = row.settings(secrets);
            var edited = patch.to(fields -> settings.patched(fields, reach));
            if (!edited.equals(settings)) {
                WebhookRows.update(tx, with(tx, row, edited));
                if (!edited.enabled()) {
                    DeliveryRows.giveUp(tx, id);
                } else if (!row.isEnabled()) {
                    WebhookRows.progress(
                            tx, id, WebhookProgress.from(EventFeeds.last(tx, new EventFeed(row.organizationId()))));
                } else if (!edited.url().equals(row.url())) {
                    WebhookRows.progress(tx, id, row.progress().succeeded());
                } else {
                    WebhookRows.unpause(tx, id);
                }
                note(tx, origin, "update", new OfWebhook.WebhookUpdated(id, host(edited)), id);
            }
            return shown(tx, origin, id);
        });
    }

    /// Deletes a webhook and all its deliveries.
    ///
    /// @param check examines the current webhook and may refuse
    /// @throws ProblemException not-found
    public void delete(ChangeOrigin origin, UUID id, Consumer<Webhook> check) {
        Access.whole(origin.caller());
        database.write(tx -> {
            var row = lock(tx, origin, id);
            check.accept(WebhookWire.show(row, secrets, tx.now()));
            DeliveryRows.giveUp(tx, id);
            WebhookRows.delete(tx, origin.organizationId(), id);
            var event = new OfWebhook.WebhookDeleted(id, WebhookSettings.host(row.url()));
            note(tx, origin, "delete", event, id);
            return id;
        });
        while (database.write(tx -> DeliveryRows.removeAll(tx, id, AT_ONCE)) == AT_ONCE) {
            Thread.yield(); // in small steps, so that a webhook with very many deliveries does not hold up others
        }
    }

    // --- secrets ---

    /// Sets a new secret. The current one also signs until the overlap is over. An older one ends now.
    ///
    /// @return the webhook with its new secret, which is shown only once
    /// @throws ProblemException not-found
    public Webhook rotateSecret(ChangeOrigin origin, UUID id, Duration overlap) {
        Access.inPerson(origin.caller());
        Access.whole(origin.caller());
        var secret = secrets.generate();
        return database.write(tx -> {
            var row = lock(tx, origin, id);
            boolean overlaps = overlap.isPositive();
            WebhookRows.rotate(
                    tx,
                    id,
                    secrets.seal(id, secret),
                    overlaps ? row.secret() : null,
                    overlaps ? tx.now().plus(overlap) : null);
            note(tx, origin, "rotate_secret", null, id);
            return shown(tx, origin, id).withSecret(secret.expose());
        });
    }
}
