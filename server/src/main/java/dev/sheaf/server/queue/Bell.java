package dev.sheaf.server.queue;

import dev.sheaf.server.db.Change;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Says that a job of a queue may be claimed now.
///
/// @param queue null: any of the organization's may have one
/// @param isTimed whether, besides, something is due there at another time than before
public record Bell(
        UUID organization, @Nullable UUID habitat, @Nullable UUID queue, boolean isTimed) {
    private static final String TIMED = "timed";

    /// As it is announced to other nodes.
    String encode() {
        return organization + " " + habitat + " " + queue + (isTimed ? " " + TIMED : "");
    }

    /// Of a queue.
    public static Bell of(QueueRow queue) {
        return new Bell(queue.organizationId(), queue.habitatId(), queue.id(), false);
    }

    /// The same, where something is due at another time than before.
    public Bell timed() {
        return new Bell(organization, habitat, queue, true);
    }

    /// What a transaction announces.
    public Change change() {
        return new Change(Change.Kind.QUEUE, encode());
    }

    /// Reads what [#encode] wrote; null where it is something else.
    public static @Nullable Bell decode(String text) {
        String[] ids = text.split(" ");
        try {
            boolean isTimed = ids.length == 4 && ids[3].equals(TIMED);
            return ids.length == 3 || isTimed
                    ? new Bell(UUID.fromString(ids[0]), UUID.fromString(ids[1]), UUID.fromString(ids[2]), isTimed)
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
