package dev.sheaf.server.event;

import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/// The outbox: an event is a row of the transaction that made it true, so neither is ever there without the other.
public final class OutboxRows {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private OutboxRows() {}

    public static void emit(Tx tx, UUID organizationId, Event event) {
        tx.change(
                """
                        INSERT INTO event (id, type, organization_id, subject, data, created_at)
                        VALUES (:id, :type, :organization, :subject, :data, :now)
                        """,
                "id",
                Ids.next(tx.now()),
                "type",
                event.type(),
                "organization",
                organizationId,
                "subject",
                event.subject(),
                "data",
                JSON.writeValueAsString(event));
    }
}
