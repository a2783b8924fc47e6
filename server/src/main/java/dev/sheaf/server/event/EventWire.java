package dev.sheaf.server.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sheaf.model.wire.org.EventRecord;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Converts events to the form in which they are sent. Thread-safe.
public final class EventWire {
    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private final Function<UUID, String> handles;

    /// @param handles returns the handle of an organization by its id
    public EventWire(Function<UUID, String> handles) {
        this.handles = handles;
    }

    /// The part of an event that a reader sees.
    public enum View {
        /// Excludes the actor.
        HUB,
        MEMBER,
        /// Includes the event's number.
        ADMIN
    }

    public EventRecord show(FeedRow row, View view) {
        var data = new LinkedHashMap<String, Object>();
        if (view != View.HUB && row.actor() != null) {
            data.put("actor", actor(row.actor(), row.actorName()));
        }
        JSON.readTree(row.data()).properties().stream()
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

    /// Returns a member of an event's data as text; empty if it is missing.
    public static String text(EventRecord event, String member) {
        var value = event.data().get(member);
        return value instanceof JsonNode node ? node.asString("") : value == null ? "" : value.toString();
    }

    /// Returns the event as JSON.
    public byte[] body(FeedRow row, View view) {
        return JSON.writeValueAsBytes(show(row, view));
    }

    private static EventRecord.Actor actor(String actor, @Nullable String name) {
        int colon = actor.indexOf(':');
        return colon < 0
                ? new EventRecord.Actor(actor, null, name)
                : new EventRecord.Actor(actor.substring(0, colon), actor.substring(colon + 1), name);
    }
}
