package dev.sheaf.server.event;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.auth.ChangeOrigin;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// The outbox: an event is written in the same transaction as the change, so neither exists without the other.
/// The audience of an event is decided here and never changes.
public final class OutboxRows {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private OutboxRows() {}

    private record Row(
            UUID id,
            String type,
            UUID organization,
            String subject,
            String data,
            Instant now,
            Event.Audience audience,
            @Nullable String bundle,
            boolean hub,
            @Nullable String actor,
            @Nullable String actorName) {}

    /// Writes an event of a change by the server itself.
    public static void emit(Tx tx, UUID organization, Event event) {
        insert(tx, organization, event, null, false);
    }

    /// Writes an event of a change by the server itself, for followers of the hub too.
    public static void emitToHub(Tx tx, UUID organization, Event.OfHub event) {
        insert(tx, organization, event, null, true);
    }

    /// Writes an event of a change by a caller in its organization.
    public static void emit(Tx tx, ChangeOrigin origin, Event event) {
        insert(tx, origin.organizationId(), event, origin, false);
    }

    /// Writes an event of a change of a bundle by a caller.
    ///
    /// @param isPublic whether the bundle is public, so that the hub may show the event
    public static void emit(Tx tx, ChangeOrigin origin, Event.AboutBundle event, boolean isPublic) {
        insert(tx, origin.organizationId(), event, origin, isPublic && event instanceof Event.OfHub);
    }

    private static void insert(Tx tx, UUID organization, Event event, @Nullable ChangeOrigin origin, boolean hub) {
        var row = new Row(
                TimeOrderedIds.next(tx.now()),
                event.type(),
                organization,
                event.subject(),
                JSON.writeValueAsString(event),
                tx.now(),
                event.audience(),
                event instanceof Event.AboutBundle about ? about.bundle() : null,
                hub,
                origin == null ? null : origin.actor(),
                origin == null ? null : origin.caller().credential().name());
        tx.later("""
                INSERT INTO event (id, type, organization_id, subject, data, created_at, audience, bundle, hub, actor,
                                   actor_name)
                VALUES (:id, :type, :organization, :subject, :data, :now, :audience, :bundle, :hub, :actor, :actorName)
                """, row);
        tx.changed(new DataChange(DataChange.Kind.EVENT, ""));
    }
}
