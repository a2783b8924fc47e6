package dev.sheaf.server.v1.event;

import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.server.event.FeedRow;
import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Events as they are sent. Thread-safe.
final class EventWire {
    private final Function<UUID, String> handles;

    /// @param handles of organizations, by their ids
    EventWire(Function<UUID, String> handles) {
        this.handles = handles;
    }

    /// How much of an event a reader is shown.
    enum View {
        /// Nobody's name.
        HUB,
        MEMBER,
        /// Its number too.
        ADMIN
    }

    EventRecord show(FeedRow row, View view) {
        var data = new LinkedHashMap<String, Object>();
        if (view != View.HUB && row.actor() != null) {
            data.put("actor", actor(row.actor(), row.actorName()));
        }
        Json.read(row.data().getBytes(StandardCharsets.UTF_8)).properties().stream()
                .filter(member -> !member.getValue().isNull())
                .forEach(member -> data.put(member.getKey(), Objects.requireNonNull(member.getValue())));
        return new EventRecord(
                "1.0",
                row.id(),
                "/organizations/" + handles.apply(row.organizationId()),
                row.type(),
                row.subject(),
                row.createdAt(),
                "application/json",
                view == View.ADMIN ? "%020d".formatted(row.seq()) : null,
                data);
    }

    private static EventRecord.Actor actor(String actor, @Nullable String name) {
        int colon = actor.indexOf(':');
        return colon < 0
                ? new EventRecord.Actor(actor, null, name)
                : new EventRecord.Actor(actor.substring(0, colon), actor.substring(colon + 1), name);
    }
}
