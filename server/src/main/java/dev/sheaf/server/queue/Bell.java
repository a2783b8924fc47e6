package dev.sheaf.server.queue;

import dev.sheaf.server.db.Change;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Says that a job of a queue may be claimed now, or that something is due there at another time.
///
/// @param queue null: any of the organization's may have one
public record Bell(
        UUID organization, @Nullable UUID habitat, @Nullable UUID queue) {
    /// As it is announced to other nodes.
    String encode() {
        return organization + " " + habitat + " " + queue;
    }

    /// Of a queue.
    public static Bell of(QueueRow queue) {
        return new Bell(queue.organizationId(), queue.habitatId(), queue.id());
    }

    /// What a transaction announces.
    public Change change() {
        return new Change(Change.Kind.QUEUE, encode());
    }

    /// Reads what [#encode] wrote; null where it is something else.
    public static @Nullable Bell decode(String text) {
        String[] ids = text.split(" ");
        try {
            return ids.length == 3
                    ? new Bell(UUID.fromString(ids[0]), UUID.fromString(ids[1]), UUID.fromString(ids[2]))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
